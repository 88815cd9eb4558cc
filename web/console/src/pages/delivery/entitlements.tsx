import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api, type Entitlement } from "../../api";
import { valuesOf } from "../../enums";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { attempt, notifySaved } from "../../ui/form";
import { DigitalItemButton, reasonOf } from "../../ui/digital-item";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { RecordLink, RecordName } from "../../ui/record-name";
import { useRoleName } from "../../ui/role-select";

const filters: Filter[] = [
  {
    key: "status",
    label: t("orders.status"),
    kind: "choices",
    quick: true,
    data: choicesOf("entitlementStatus", valuesOf("Entitlement", "status")),
  },
  {
    key: "type",
    label: t("entitlements.what"),
    kind: "choice",
    quick: true,
    data: choicesOf("entitlementType", valuesOf("Entitlement", "type")),
  },
  { key: "customerId", label: t("orders.customer"), kind: "record", of: "customer" },
  { key: "productId", label: t("newOrder.product"), kind: "record", of: "product" },
  { key: "chatUserId", label: t("customers.chatId"), kind: "text" },
  { key: "roleId", label: t("entitlements.roleId"), kind: "text" },
  { key: "createdFrom", label: t("filter.from"), kind: "from" },
  { key: "createdTo", label: t("filter.to"), kind: "to" },
];
const keys = ["sort", ...filters.map((filter) => filter.key)];

export function EntitlementsPage() {
  const { may } = useSession();
  const queries = useQueryClient();
  const { values, change, clear, filtered } = useUrlState(keys);
  const roleName = useRoleName();
  const retry = async (entitlement: Entitlement) => {
    await api.patch(`/api/data/entitlement/${encodeURIComponent(entitlement.id)}`, { status: "PENDING" });
    await queries.invalidateQueries({ queryKey: ["/api/data/entitlement"] });
    notifySaved(t("entitlements.retried"));
  };
  return (
    <>
      <PageHead
        title={t("entitlements.title")}
        actions={
          <GuardedButton
            allowed={may("admin.access")}
            variant="default"
            onClick={() =>
              void attempt(() =>
                api.post("/api/admin/entitlements/reconcile").then(() => notifySaved(t("entitlements.checking"))),
              )
            }
          >
            {t("entitlements.check")}
          </GuardedButton>
        }
      />
      <FilterBar filters={filters} values={values} change={change} />
      <PagedList<Entitlement>
        label={t("entitlements.title")}
        path="/api/data/entitlement"
        query={queryOf(filters, values)}
        columns={[
          {
            title: t("entitlements.what"),
            cell: (entitlement) => (
              <>
                <RecordName kind="product" id={entitlement.productId} />
                <Text size="xs" c="dimmed" fw={400}>
                  {entitlement.type === "CHAT_ROLE"
                    ? t("entitlements.role", { id: roleName(entitlement.roleId ?? "") })
                    : t("entitlements.item")}
                </Text>
              </>
            ),
          },
          {
            title: t("entitlements.member"),
            cell: (entitlement) =>
              entitlement.customerId ? (
                <RecordLink kind="customer" id={entitlement.customerId} />
              ) : (
                (entitlement.chatUserId ?? "")
              ),
            phone: true,
          },
          { title: t("payments.order"), cell: (entitlement) => <RecordLink kind="order" id={entitlement.orderId} /> },
          {
            title: t("entitlements.wanted"),
            cell: (entitlement) =>
              t(entitlement.status === "REVOKED" ? "entitlements.shouldNot" : "entitlements.should"),
          },
          {
            title: t("entitlements.actual"),
            cell: (entitlement) => (
              <Stack gap={4} align="flex-start">
                <Status value={entitlement.status} kind="entitlementStatus" />
                {entitlement.failureReason && <Text size="sm">{reasonOf(entitlement)}</Text>}
                {entitlement.failureReason && entitlement.lastAttemptAt && (
                  <Text size="xs" c="dimmed" component="div">
                    {t("entitlements.lastAttempt")} <When at={entitlement.lastAttemptAt} />
                  </Text>
                )}
                {entitlement.status === "FAILED" && (
                  <GuardedButton
                    allowed={may("data.write")}
                    size="compact-sm"
                    variant="light"
                    onClick={() => attempt(() => retry(entitlement))}
                  >
                    {t("action.tryAgain")}
                  </GuardedButton>
                )}
                <DigitalItemButton of={entitlement} />
              </Stack>
            ),
            phone: true,
          },
          { title: t("orders.created"), cell: (entitlement) => <When at={entitlement.createdAt} />, phone: true },
        ]}
        keyOf={(entitlement) => entitlement.id}
        versionOf={(entitlement) => entitlement.updatedAt}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty
              title={t("entitlements.empty")}
              text={t("entitlements.emptyText")}
              action={
                <GuardedButton allowed variant="default" href="/products">
                  {t("entitlements.toProducts")}
                </GuardedButton>
              }
            />
          )
        }
      />
    </>
  );
}
