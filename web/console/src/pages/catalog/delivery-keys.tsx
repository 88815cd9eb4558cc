// The keys of a deliverable: which are free, and who got the others.
import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import type { Deliverable, DeliveryKey } from "../../api";
import { valuesOf } from "../../enums";
import { useName } from "../../lib/names";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, PageHead, Unavailable, When } from "../../ui/basics";
import { hintOf, KeyAction, keysPath, KeyStatus } from "../../ui/delivery-keys";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { RecordLink } from "../../ui/record-name";
import { AddKeysDialog } from "./delivery-key-upload";
import { countsOf, deliverablesQuery } from "./product-delivery";

const filters: Filter[] = [
  {
    key: "status",
    label: t("deliveryKeys.status"),
    kind: "choices",
    quick: true,
    data: choicesOf("keyStatus", valuesOf("DeliveryKey", "status")),
  },
];
const keys = filters.map((filter) => filter.key);

export function DeliveryKeysPage() {
  const { id, deliverableId } = useParams<{ id: string; deliverableId: string }>();
  const list = useQuery(deliverablesQuery(id));
  const deliverable = list.data?.find((each) => each.id === deliverableId);
  const back = { href: `/products/${id}`, label: useName("product", id) ?? t("newOrder.product") };
  if (deliverable) return <Keys deliverable={deliverable} back={back} />;
  if (!list.data) return <Unavailable query={list} back={back} />;
  return (
    <>
      <PageHead title={t("record.missing")} back={back} />
      <Text>{t("record.missingText")}</Text>
    </>
  );
}

function Keys({ deliverable, back }: { deliverable: Deliverable; back: { href: string; label: string } }) {
  const { may } = useSession();
  const { values, change, clear, filtered } = useUrlState(keys);
  const [adding, setAdding] = useState(false);
  const pool = deliverable.kind === "KEY_POOL";
  const add = pool && (
    <GuardedButton allowed={may("data.write")} leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t("deliveryKeys.add")}
    </GuardedButton>
  );
  return (
    <>
      <PageHead
        back={back}
        title={t("deliveryKeys.title", { name: deliverable.name })}
        status={<Text c="dimmed">{countsOf(deliverable)}</Text>}
        primary={add}
      />
      <FilterBar filters={filters} values={values} change={change} />
      <PagedList<DeliveryKey>
        label={t("deliveryKeys.list")}
        path={keysPath}
        query={{ ...queryOf(filters, values), deliverableId: deliverable.id }}
        columns={[
          { title: t("deliveryKeys.key"), cell: (key) => <span className="numeric">{hintOf(key)}</span> },
          { title: t("deliveryKeys.status"), cell: (key) => <KeyStatus value={key.status} />, phone: true },
          { title: t("payments.order"), cell: (key) => <RecordLink kind="order" id={key.orderId} />, phone: true },
          {
            title: t("deliveryKeys.when"),
            cell: (key) => key.assignedAt && <When at={key.assignedAt} />,
            phone: true,
          },
          { title: t("entitlements.action"), cell: (key) => <KeyAction of={key} />, phone: true },
        ]}
        keyOf={(key) => key.id}
        versionOf={(key) => key.updatedAt}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty
              title={t("deliveryKeys.empty")}
              text={t(pool ? "deliveryKeys.emptyText" : "deliveryKeys.emptyGenerated")}
              action={add}
            />
          )
        }
      />
      {adding && <AddKeysDialog deliverable={deliverable} close={() => setAdding(false)} />}
    </>
  );
}
