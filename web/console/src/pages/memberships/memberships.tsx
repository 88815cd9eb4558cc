import { Tabs, Text } from "@mantine/core";
import { useMemo, type ReactNode } from "react";
import type { Membership } from "../../api";
import { membershipStates, queryOfState } from "../../lib/membership";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, PageHead, When } from "../../ui/basics";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { MembershipState } from "../../ui/membership-state";
import { RecordName } from "../../ui/record-name";
import { Codes } from "./membership-codes";
import { MembershipReport } from "./membership-report";

const tabs = ["members", "codes", "report"] as const;
const filters: Filter[] = [
  { key: "productId", label: t("memberships.plan"), kind: "record", of: "membership", quick: true },
  { key: "customerId", label: t("orders.customer"), kind: "record", of: "customer" },
  { key: "chatUserId", label: t("customers.chatId"), kind: "text" },
];
const state: Filter = {
  key: "state",
  label: t("memberships.state"),
  kind: "choice",
  quick: true,
  data: choicesOf("membershipState", membershipStates),
};
const sorts = choicesOf("membershipSort", ["-createdAt", "expiresAt", "-expiresAt"]);
const keys = ["sort", "state", ...filters.map((filter) => filter.key)];

/** Who the member is: a customer by name, or else the id on the chat server. */
function MemberName({ membership }: { membership: Membership }): ReactNode {
  return membership.customerId ? (
    <RecordName kind="customer" id={membership.customerId} />
  ) : (
    (membership.chatUserId ?? membership.userId)
  );
}

export function MembershipsPage() {
  const { values, change } = useUrlState(["tab"] as const);
  const tab = tabs.find((each) => each === values.tab) ?? "members";
  return (
    <>
      <PageHead title={t("memberships.title")} />
      <Tabs
        value={tab}
        onChange={(chosen) => change({ tab: chosen === "members" ? "" : (chosen ?? "") })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`memberships.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="codes">
          <Codes />
        </Tabs.Panel>
        <Tabs.Panel value="report">
          <MembershipReport />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Members() {
  const { may } = useSession();
  const { values, change, filtered } = useUrlState(keys);
  const chosen = values["state"] ?? "";
  // The moment at which the person has chosen: with the present one the list would begin anew each time it is drawn.
  const ofState = useMemo(() => queryOfState(chosen, new Date().toISOString()), [chosen]);
  const clear = () => change(Object.fromEntries(keys.map((key) => [key, ""])));
  return (
    <>
      <FilterBar filters={[state, ...filters]} values={values} change={change} sort={sorts} />
      <PagedList<Membership>
        label={t("memberships.title")}
        path="/api/admin/memberships"
        query={{ ...queryOf(filters, values), ...ofState }}
        columns={[
          { title: t("memberships.member"), cell: (membership) => <MemberName membership={membership} /> },
          {
            title: t("memberships.plan"),
            cell: (membership) => <RecordName kind="product" id={membership.productId} />,
            phone: true,
          },
          {
            title: t("memberships.state"),
            cell: (membership) => <MembershipState membership={membership} />,
            phone: true,
          },
          {
            title: t("memberships.until"),
            cell: (membership) => (
              <>
                <When at={membership.expiresAt} />
                {membership.cancelledAt && membership.status !== "ENDED" && (
                  <Text size="xs" c="dimmed">
                    {t("memberships.cancelledAt")}
                  </Text>
                )}
              </>
            ),
            phone: true,
          },
          { title: t("memberships.started"), cell: (membership) => <When at={membership.startedAt} /> },
        ]}
        keyOf={(membership) => membership.id}
        hrefOf={(membership) => `/memberships/${membership.id}`}
        versionOf={(membership) => membership.updatedAt}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty
              title={t("memberships.empty")}
              text={t("memberships.emptyText")}
              action={
                <GuardedButton allowed={may("data.write")} href="/products/new">
                  {t("memberships.addProduct")}
                </GuardedButton>
              }
            />
          )
        }
      />
    </>
  );
}
