// The orders of a list as a CSV file.
import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import type { Page, QueryValue } from "@guildhall/client";
import { useEffect, useRef, useState } from "react";
import { api, type Order } from "../../api";
import { addressFields, addressParts } from "../../lib/address";
import { type Cell, csvText, download } from "../../lib/csv";
import { count, moneyInput } from "../../lib/format";
import { hasParcel } from "../../lib/order-status";
import { shopDay, shopTime, shopTimeZone } from "../../lib/shop";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { Modal } from "../../ui/modal";

const rowsMax = 10_000;

/** The columns in words; times are on the shop's clock, which their heads name. */
function columns(): [string, (order: Order) => Cell][] {
  const zone = shopTimeZone();
  const time = (at: string | null | undefined) => at && shopTime(at).replace("T", " ");
  const amount = (of: (order: Order) => number) => (order: Order) => moneyInput(of(order), order.currency);
  return [
    [t("orders.number"), (order) => order.orderNumber],
    [t("orders.status"), (order) => t(`orderStatus.${order.status}`)],
    [t("orders.parcel"), (order) => (hasParcel(order) ? t(`shippingStatus.${order.shippingStatus}`) : "")],
    [`${t("orders.created")} (${zone})`, (order) => time(order.createdAt)],
    [`${t("order.paidAt")} (${zone})`, (order) => time(order.paidAt)],
    [t("orders.customer"), (order) => order.customer.name],
    [t("customer.email"), (order) => order.customer.email],
    ...addressFields.map((field): [string, (order: Order) => Cell] => [
      t(`addresses.${field}`),
      (order) => addressParts(order.shippingAddress)[field],
    ]),
    [
      t("order.items"),
      (order) => order.items.map((item) => `${item.quantity} × ${item.name} (${item.sku})`).join("; "),
    ],
    [t("order.subtotal"), amount((order) => order.subtotalCents)],
    [t("order.discount"), amount((order) => order.discountAmountCents)],
    [t("newOrder.discount"), (order) => order.discountCode],
    [t("order.tax"), amount((order) => order.taxAmountCents)],
    [t("orders.total"), amount((order) => order.totalCents)],
    [t("products.currency"), (order) => order.currency],
    [t("order.tracking"), (order) => order.trackingNumber],
    [t("order.notes"), (order) => order.notes],
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
      const rows: Cell[][] = [];
      const all = columns();
      let cursor: string | null = null;
      do {
        const page: Page<Order> = await api.get<Page<Order>>("/api/data/order", {
          query: { ...chosen.current, limit: 200, cursor },
          signal: end.signal,
        });
        rows.push(...page.items.map((order) => all.map(([, of]) => of(order))));
        setRead(rows.length);
        cursor = page.nextCursor;
      } while (cursor !== null && rows.length < rowsMax);
      download(`orders-${shopDay()}.csv`, csvText([all.map(([title]) => title), ...rows.slice(0, rowsMax)]));
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
        {error ? (
          <ErrorNotice error={error} />
        ) : (
          <Text role="status">
            {t(complete === null ? "export.reading" : complete ? "export.done" : "export.limited", {
              count: count(Math.min(read, rowsMax)),
            })}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant={done ? "filled" : "default"} onClick={close}>
            {t(done || error ? "action.close" : "action.cancel")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
