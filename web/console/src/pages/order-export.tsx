// The orders of a list as a CSV file.
import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { Page, QueryValue } from "@guildhall/client";
import { useEffect, useRef, useState } from "react";
import { api, type Order } from "../api";
import { csvText, download } from "../lib/csv";
import { count, moneyInput } from "../lib/format";
import { shopDay } from "../lib/shop";
import { t } from "../text";
import { ErrorNotice } from "../ui/basics";
import { Modal } from "../ui/modal";

const rowsMax = 10_000;
const head = ["orderNumber", "status", "shippingStatus", "createdAt", "paidAt", "customer", "email", "items", "subtotal", "discount", "discountCode", "tax", "total", "currency", "trackingNumber", "notes"];

function rowOf(order: Order) {
  const amount = (cents: number) => Number(moneyInput(cents, order.currency));
  return [
    order.orderNumber, order.status, order.shippingStatus, order.createdAt, order.paidAt, order.customer.name, order.customer.email,
    order.items.map((item) => `${item.quantity} × ${item.name} (${item.sku})`).join("; "),
    amount(order.subtotalCents), amount(order.discountAmountCents), order.discountCode, amount(order.taxAmountCents), amount(order.totalCents), order.currency,
    order.trackingNumber, order.notes,
  ];
}

/** Reads at most 10,000 orders, page by page, and offers them as a file. */
export function ExportDialog({ query, close }: { query: Record<string, QueryValue>; close: () => void }) {
  const [read, setRead] = useState(0);
  const [complete, setComplete] = useState<boolean | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const chosen = useRef(query);
  useEffect(() => {
    const end = new AbortController();
    const run = async () => {
      const rows = [];
      let cursor: string | null = null;
      do {
        const page: Page<Order> = await api.get<Page<Order>>("/api/data/order", { query: { ...chosen.current, limit: 200, cursor }, signal: end.signal });
        rows.push(...page.items.map(rowOf));
        setRead(rows.length);
        cursor = page.nextCursor;
      } while (cursor !== null && rows.length < rowsMax);
      download(`orders-${shopDay()}.csv`, csvText([head, ...rows.slice(0, rowsMax)]));
      setComplete(cursor === null);
    };
    run().catch((thrown: Error) => !end.signal.aborted && setError(thrown));
    return () => end.abort();
  }, []);
  const done = complete !== null;
  return (
    <Modal onClose={close} title={t("orders.export")}>
      <Stack>
        {!done && !error && <Progress value={100} animated aria-label={t("export.progress")} />}
        {error ? <ErrorNotice error={error} /> : <Text role="status">{t(complete === null ? "export.reading" : complete ? "export.done" : "export.limited", { count: count(Math.min(read, rowsMax)) })}</Text>}
        <Group justify="flex-end">
          <Button variant={done ? "filled" : "default"} onClick={close}>{t(done || error ? "action.close" : "action.cancel")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
