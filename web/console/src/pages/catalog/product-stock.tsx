// The history of a product's stock.
import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { type ReactNode } from "react";
import { Link } from "wouter";
import { api, type AuditRecord, type Order, type Product } from "../../api";
import { count } from "../../lib/format";
import { useSession } from "../../session";
import { t } from "../../text";
import { Status, When } from "../../ui/basics";
import { ActorName } from "../../ui/record-name";

interface StockMove {
  at: string;
  key: string;
  content: ReactNode;
}

/** Who set the stock, from the audit trail, and the newest orders that took from it. */
export function StockHistory({ product }: { product: Product }) {
  const { may } = useSession();
  const changes = useQuery({
    queryKey: ["/api/admin/audit", "stock", product.id],
    queryFn: () =>
      api
        .get<
          Page<AuditRecord>
        >("/api/admin/audit", { query: { subject: "product", subjectId: product.id, limit: 100 } })
        .then((page) => page.items),
    enabled: may("admin.access"),
  });
  const orders = useQuery({
    queryKey: ["/api/data/order", "stock", product.id],
    queryFn: () =>
      api
        .get<Page<Order>>("/api/data/order", { query: { productId: product.id, limit: 20 } })
        .then((page) => page.items),
  });
  const moves: StockMove[] = [
    ...(changes.data ?? []).flatMap((record) => {
      const change = (record.changes as Record<string, { before?: unknown; after?: unknown }> | null)?.[
        "stockQuantity"
      ];
      if (!change) return [];
      const text = t("stock.set", { before: String(change.before ?? "–"), after: String(change.after ?? "–") });
      return [
        {
          at: record.at,
          key: record.id,
          content: (
            <Text size="sm">
              {text}{" "}
              <Text span c="dimmed">
                · <ActorName kind={record.actorKind} id={record.actorId} />
              </Text>
            </Text>
          ),
        },
      ];
    }),
    ...(orders.data ?? []).map((order) => ({
      at: order.createdAt,
      key: order.id,
      content: (
        <Group gap="xs">
          <Text size="sm">
            {"\u2212"}
            {count(
              order.items.filter((item) => item.productId === product.id).reduce((sum, item) => sum + item.quantity, 0),
            )}{" "}
            <Link href={`/orders/${order.id}`}>{order.orderNumber}</Link>
          </Text>
          {["CANCELLED", "REFUNDED"].includes(order.status) && <Status value={order.status} kind="orderStatus" />}
        </Group>
      ),
    })),
  ]
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, 30);
  if (moves.length === 0) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("stock.title")}
      </Title>
      <Stack gap="xs">
        {moves.map((move) => (
          <Group key={move.key} justify="space-between" wrap="nowrap" align="flex-start">
            {move.content}
            <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              <When at={move.at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
