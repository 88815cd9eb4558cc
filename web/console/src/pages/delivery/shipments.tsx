import { Anchor, Button, Group, Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Versioned } from "@guildhall/client";
import { api, type Shipment } from "../../api";
import { valuesOf } from "../../enums";
import { changed } from "../../lib/refresh";
import { useUrlState } from "../../lib/url-state";
import { useVersions } from "../../lib/versions";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, ErrorNotice, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { ConflictDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { Modal } from "../../ui/modal";
import { RecordName } from "../../ui/record-name";

const path = "/api/data/shipment";
const statuses = valuesOf("Shipment", "status");
const filters: Filter[] = [
  {
    key: "status",
    label: t("orders.status"),
    kind: "choices",
    quick: true,
    data: choicesOf("shippingStatus", statuses),
  },
  { key: "carrier", label: t("shipments.carrier"), kind: "text" },
  { key: "trackingNumber", label: t("order.tracking"), kind: "text" },
  { key: "createdFrom", label: t("filter.from"), kind: "from" },
  { key: "createdTo", label: t("filter.to"), kind: "to" },
];
const keys = ["search", "sort", ...filters.map((filter) => filter.key)];

const pageOf = (shipment: Shipment) => `/orders/${shipment.orderId}`;

export function ShipmentsPage() {
  const { may } = useSession();
  const { values, change, clear, filtered } = useUrlState(keys);
  const [edited, setEdited] = useState<Shipment | null>(null);
  return (
    <>
      <PageHead title={t("shipments.title")} />
      <FilterBar filters={filters} values={values} change={change} search={t("shipments.search")} />
      <PagedList<Shipment>
        label={t("shipments.title")}
        path={path}
        query={queryOf(filters, values)}
        columns={[
          { title: t("payments.order"), cell: (shipment) => <RecordName kind="order" id={shipment.orderId} /> },
          { title: t("shipments.carrier"), cell: (shipment) => shipment.carrier, phone: true },
          {
            title: t("order.tracking"),
            cell: (shipment) =>
              shipment.trackingNumber ?? (
                <Text span c="dimmed">
                  {t("shipments.noNumber")}
                </Text>
              ),
            phone: true,
          },
          {
            title: t("orders.status"),
            cell: (shipment) => <Status value={shipment.status} kind="shippingStatus" />,
            phone: true,
          },
          { title: t("orders.created"), cell: (shipment) => <When at={shipment.createdAt} />, phone: true },
          {
            title: t("entitlements.action"),
            cell: (shipment) => (
              <Group gap="xs" wrap="nowrap">
                <GuardedButton
                  allowed={may("data.write")}
                  size="compact-sm"
                  variant="default"
                  onClick={() => setEdited(shipment)}
                >
                  {t("order.edit")}
                </GuardedButton>
                {shipment.labelUrl && (
                  <Anchor className="one-line" href={shipment.labelUrl} target="_blank" rel="noreferrer">
                    {t("shipments.openLabel")}
                  </Anchor>
                )}
              </Group>
            ),
            phone: true,
          },
        ]}
        keyOf={(shipment) => shipment.id}
        hrefOf={pageOf}
        versionOf={(shipment) => shipment.updatedAt}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty
              title={t("shipments.empty")}
              text={t("shipments.emptyText")}
              action={
                <GuardedButton allowed variant="default" href="/orders?status=PAID%2CFULFILLING">
                  {t("shipments.toShip")}
                </GuardedButton>
              }
            />
          )
        }
      />
      {edited && <ParcelDialog orderId={edited.orderId} id={edited.id} close={() => setEdited(null)} />}
    </>
  );
}

/** Adds a parcel to an order, or changes one. */
export function ParcelDialog({ orderId, id, close }: { orderId: string; id: string | null; close: () => void }) {
  const one = `${path}/${encodeURIComponent(id ?? "")}`;
  const parcel = useQuery({
    queryKey: [one],
    queryFn: () => api.read<Shipment>(one),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Modal onClose={close} title={t(id ? "shipments.edit" : "shipments.add")}>
      {parcel.error && <ErrorNotice error={parcel.error} />}
      {(id === null || parcel.data) && (
        <ParcelForm key={parcel.data?.etag} orderId={orderId} parcel={parcel.data ?? null} close={close} />
      )}
      {parcel.error && (
        <Button mt="sm" variant="default" onClick={close}>
          {t("action.close")}
        </Button>
      )}
    </Modal>
  );
}

function ParcelForm({
  orderId,
  parcel,
  close,
}: {
  orderId: string;
  parcel: Versioned<Shipment> | null;
  close: () => void;
}) {
  const queries = useQueryClient();
  const before = parcel?.record;
  const form = useForm({
    initialValues: {
      status: before?.status ?? "PENDING",
      carrier: before?.carrier ?? "",
      trackingNumber: before?.trackingNumber ?? "",
      labelUrl: before?.labelUrl ?? "",
    },
  });
  const one = `${path}/${encodeURIComponent(before?.id ?? "")}`;
  const versions = useVersions<Shipment>(one, async (changes, version) => {
    if (parcel) await api.patch(one, changes, { ifMatch: version });
    else await api.post(path, { ...changes, orderId });
    await changed(queries, "shipment");
    notifySaved();
    close();
  });
  return (
    <FormPage
      form={form}
      isNew
      saveLabel={parcel ? undefined : t("shipments.add")}
      save={(values) =>
        versions.save(
          {
            status: values.status,
            carrier: values.carrier || null,
            trackingNumber: values.trackingNumber || null,
            labelUrl: values.labelUrl || null,
          },
          parcel?.etag ?? "",
          { base: before },
        )
      }
    >
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{
            status: t("orders.status"),
            carrier: t("shipments.carrier"),
            trackingNumber: t("order.tracking"),
            labelUrl: t("shipments.label"),
          }}
        />
      )}
      <Select
        label={t("orders.status")}
        allowDeselect={false}
        data={choicesOf("shippingStatus", statuses)}
        {...form.getInputProps("status")}
      />
      <TextInput label={t("shipments.carrier")} data-autofocus {...form.getInputProps("carrier")} />
      <TextInput label={t("order.tracking")} {...form.getInputProps("trackingNumber")} />
      <TextInput label={t("shipments.label")} type="url" placeholder="https://" {...form.getInputProps("labelUrl")} />
    </FormPage>
  );
}
