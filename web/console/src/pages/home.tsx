import { Alert, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { Link } from "wouter";
import { api, type Entitlement, type OpenOrder, type OpenOrdersPage, type OpenSummary, type OutboxMessage, type Payment, type Product, type Readiness, type WebhookEndpoint } from "../api";
import { count } from "../lib/format";
import { useSession } from "../session";
import { t, type TextKey } from "../text";
import { Empty, ErrorNotice, Money, PageHead, Status, When } from "../ui/basics";
import { List } from "../ui/list";

const openStatuses = ["PENDING_PAYMENT", "PAID", "FULFILLING", "SHIPPED"] as const;

export function HomePage() {
  const { may } = useSession();
  if (!may("admin.access")) return <Empty title={t("home.welcome")} text={t("home.staff")} />;
  return (
    <>
      <PageHead title={t("home.title")} />
      <Stack gap="lg">
        <OrdersByStatus />
        <NeedsAttention />
        <NewestOrders />
      </Stack>
    </>
  );
}

function OrdersByStatus() {
  const summary = useQuery({
    queryKey: ["/api/data/order/open/summary"],
    queryFn: () => api.get<OpenSummary>("/api/data/order/open/summary"),
  });
  if (summary.error) return <ErrorNotice error={summary.error} retry={() => void summary.refetch()} />;
  const byStatus = summary.data?.byStatus as Record<string, number> | undefined;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {openStatuses.map((status) => (
        <Paper key={status} p={{ base: "sm", md: "md" }} component={Link} href={`/orders?status=${status}`} c="inherit" td="none">
          <Status value={status} kind="orderStatus" />
          {byStatus === undefined ? <Skeleton height={34} width={60} mt="xs" /> : <Text fz={28} fw={600} mt={4}>{count(byStatus[status] ?? 0)}</Text>}
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

/** Everything that a person should look at, from the lists that know it. */
function useFindings(): { findings: Finding[]; pending: boolean } {
  const first = (limit: number) => ({ query: { limit } });
  const list = useQuery({
    queryKey: ["attention"],
    queryFn: async (): Promise<Finding[]> => {
      const [payments, roles, messages, endpoints, products, readiness] = await Promise.all([
        api.get<Page<Payment>>("/api/admin/payments", { query: { attention: true, limit: 50 } }),
        api.get<Page<Entitlement>>("/api/data/entitlement", first(100)),
        api.get<Page<OutboxMessage>>("/api/admin/outbox", { query: { status: "DEAD", limit: 50 } }),
        api.get<Page<WebhookEndpoint>>("/api/admin/webhook-endpoints", first(100)),
        api.get<Page<Product>>("/api/data/product", first(200)),
        api.get<Readiness>("/readyz").catch(() => null),
      ]);
      const found = (key: TextKey, number: number, href: string): Finding[] =>
        number === 0 ? [] : [{ key, text: t(key, { count: count(number) }), href }];
      const low = products.items.filter((p) => p.isActive && p.inventoryTracked && typeof p.stockQuantity === "number" && p.stockQuantity <= 5);
      return [
        ...found("attention.payments", payments.items.length, "/payments?attention=true"),
        ...found("attention.roles", roles.items.filter((role) => role.status === "FAILED").length, "/entitlements"),
        ...found("attention.messages", messages.items.length, "/outbox?status=DEAD"),
        ...found("attention.endpoints", endpoints.items.filter((endpoint) => !endpoint.enabled && endpoint.disabledReason).length, "/webhooks"),
        ...found("attention.stock", low.length, "/products"),
        ...found("attention.server", readiness?.warnings.length ?? 0, "/settings"),
      ];
    },
  });
  return { findings: list.data ?? [], pending: list.isPending };
}

function NeedsAttention() {
  const { findings, pending } = useFindings();
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>{t("attention.title")}</Title>
      {pending && <Skeleton height={48} />}
      {!pending && findings.length === 0 && (
        <Alert color="green" icon={<IconCircleCheck size={18} />}>{t("attention.none")}</Alert>
      )}
      {findings.map((finding) => (
        <Alert key={finding.key} color="yellow" icon={<IconAlertTriangle size={18} />}>
          <Group justify="space-between" gap="xs">
            <Text>{finding.text}</Text>
            <Link href={finding.href}>{t("attention.look")}</Link>
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

function NewestOrders() {
  const orders = useQuery({
    queryKey: ["/api/data/order/open", "newest"],
    queryFn: () => api.get<OpenOrdersPage>("/api/data/order/open", { query: { pageSize: 8 } }),
  });
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>{t("home.newest")}</Title>
      <List<OpenOrder>
        label={t("home.newest")}
        columns={[
          { title: t("orders.number"), cell: (order) => order.orderNumber },
          { title: t("orders.customer"), cell: (order) => order.customerName, phone: true },
          { title: t("orders.status"), cell: (order) => <Status value={order.status} kind="orderStatus" />, phone: true },
          { title: t("orders.created"), cell: (order) => <When at={order.createdAt} /> },
          { title: t("orders.total"), cell: (order) => <Money cents={order.totalCents} currency={order.currency} />, numeric: true, phone: true },
        ]}
        items={orders.data?.items}
        keyOf={(order) => order.id}
        hrefOf={(order) => `/orders/${order.id}`}
        error={orders.error}
        retry={() => void orders.refetch()}
        empty={<Empty title={t("orders.empty")} text={t("orders.emptyText")} />}
      />
    </Stack>
  );
}
