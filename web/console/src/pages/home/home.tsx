import { Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useEffect } from "react";
import { Link, Redirect } from "wouter";
import {
  api,
  ApiError,
  type Entitlement,
  type OpenOrder,
  type OutboxMessage,
  type Payment,
  type Readiness,
  type StockReport,
  type WebhookEndpoint,
} from "../../api";
import { count } from "../../lib/format";
import { useIsShown } from "../../lib/idle";
import { newestOrders, openSummary } from "../../lib/open-orders";
import { openStatuses } from "../../lib/order-status";
import { useSession } from "../../session";
import { t, type TextKey } from "../../text";
import { Empty, ErrorNotice, Money, PageHead, Status, When } from "../../ui/basics";
import { List } from "../../ui/list";
import { NoOpenOrders } from "../../ui/no-orders";
import { Checklist } from "./home-checklist";
import { HomeSales } from "./home-sales";

/** Kept in the browser for start.ts, which sends the reads of this page before the rights are known. */
const noHome = "guildhall.no-home";

export function HomePage() {
  const { may } = useSession();
  const allowed = may("admin.access");
  useEffect(() => (allowed ? localStorage.removeItem(noHome) : localStorage.setItem(noHome, "1")), [allowed]);
  if (!allowed) return may("data.read") ? <Redirect to="/orders" replace /> : <NoRights />;
  return (
    <>
      <PageHead title={t("home.title")} />
      <Stack gap="lg">
        <Checklist />
        <OrdersByStatus />
        <div className="two-columns">
          <HomeSales />
          <NeedsAttention />
        </div>
        <NewestOrders />
      </Stack>
    </>
  );
}

function NoRights() {
  return (
    <>
      <PageHead title={t("home.welcome")} />
      <Paper>
        <Empty title={t("home.noRights")} text={t("home.noRightsText")} />
      </Paper>
    </>
  );
}

function OrdersByStatus() {
  const summary = useQuery(openSummary);
  if (summary.error) return <ErrorNotice error={summary.error} retry={() => void summary.refetch()} />;
  const byStatus = summary.data?.byStatus as Record<string, number> | undefined;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {openStatuses.map((status) => (
        <Paper
          key={status}
          p={{ base: "sm", md: "md" }}
          component={Link}
          href={`/orders?status=${status}`}
          c="inherit"
          td="none"
          className="tile"
        >
          <Status value={status} kind="orderStatus" />
          {byStatus === undefined ? (
            <Skeleton height={34} width={60} mt="xs" />
          ) : (
            <Text fz={28} fw={600} mt={4}>
              {count(byStatus[status] ?? 0)}
            </Text>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}

interface Finding {
  key: string;
  text: string;
  href: string;
}

/** Up to a hundred are counted; more are shown as "100+". */
const countedMax = 100;

function found(key: TextKey, number: number, href: string): Finding[] {
  const shown = number >= countedMax ? `${count(countedMax)}+` : count(number);
  return number === 0 ? [] : [{ key, text: t(key, { count: shown }), href }];
}

/** Everything that a person should look at, from the lists that know it. */
function useFindings() {
  const limited = (query: Record<string, string | boolean> = {}) => ({ query: { ...query, limit: countedMax } });
  return useQuery({
    queryKey: ["attention"],
    enabled: useIsShown(),
    queryFn: async (): Promise<Finding[]> => {
      const [payments, roles, messages, endpoints, stock, readiness] = await Promise.all([
        api.get<Page<Payment>>("/api/admin/payments", limited({ attention: true })),
        api.get<Page<Entitlement>>("/api/data/entitlement", limited({ status: "FAILED" })),
        api.get<Page<OutboxMessage>>("/api/admin/outbox", limited({ status: "DEAD" })),
        api.get<Page<WebhookEndpoint>>("/api/admin/webhook-endpoints", limited()),
        // The reports are unavailable while they are recomputed; everything else is shown all the same.
        api.get<StockReport>("/api/admin/reports/stock").catch(() => null),
        api
          .get<Readiness>("/readyz")
          .catch((error: unknown) => (error instanceof ApiError ? { warnings: [error.message] } : null)),
      ]);
      return [
        ...found("attention.payments", payments.items.length, "/payments?attention=true"),
        ...found("attention.roles", roles.items.length, "/entitlements?status=FAILED"),
        ...found("attention.messages", messages.items.length, "/outbox?status=DEAD"),
        ...found(
          "attention.endpoints",
          endpoints.items.filter((endpoint) => !endpoint.enabled && endpoint.disabledReason).length,
          "/webhooks?state=failed",
        ),
        ...found("attention.stock", stock?.items.length ?? 0, "/products?stock=low"),
        ...(readiness?.warnings ?? []).map((warning) => ({ key: warning, text: warning, href: "/settings" })),
      ];
    },
  });
}

function NeedsAttention() {
  const list = useFindings();
  const findings = list.data ?? [];
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("attention.title")}
      </Title>
      {list.isPending && <Skeleton height={48} />}
      {list.error && <ErrorNotice error={list.error} retry={() => void list.refetch()} />}
      {list.data && findings.length === 0 && (
        <Group gap="xs" wrap="nowrap">
          <IconCircleCheck size={20} className="step-done" aria-hidden />
          <Text>{t("attention.none")}</Text>
        </Group>
      )}
      <Stack gap="sm">
        {findings.map((finding) => (
          <Group key={finding.key} gap="xs" wrap="nowrap" align="flex-start">
            <IconAlertTriangle size={18} className="attention-icon" aria-hidden />
            <Text style={{ flex: 1 }} className="break-anywhere">
              {finding.text}
            </Text>
            <Link href={finding.href} aria-label={t("attention.lookAt", { what: finding.text })}>
              {t("attention.look")}
            </Link>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function NewestOrders() {
  const orders = useQuery(newestOrders);
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>
        {t("home.newest")}
      </Title>
      <List<OpenOrder>
        label={t("home.newest")}
        columns={[
          { title: t("orders.number"), cell: (order) => order.orderNumber },
          { title: t("orders.customer"), cell: (order) => order.customerName, phone: true },
          {
            title: t("orders.status"),
            cell: (order) => <Status value={order.status} kind="orderStatus" />,
            phone: true,
          },
          { title: t("orders.created"), cell: (order) => <When at={order.createdAt} />, phone: true },
          {
            title: t("orders.total"),
            cell: (order) => <Money cents={order.totalCents} currency={order.currency} />,
            numeric: true,
            phone: true,
          },
        ]}
        items={orders.data?.items}
        keyOf={(order) => order.id}
        hrefOf={(order) => `/orders/${order.id}`}
        error={orders.error}
        retry={() => void orders.refetch()}
        empty={<NoOpenOrders />}
      />
    </Stack>
  );
}
