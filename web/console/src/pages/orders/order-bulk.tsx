// Actions on several orders. Each order is changed by its own request, with its version and an idempotency key, so that
// one that fails changes nothing for the others.
import { Button, Group, List, Paper, Progress, Stack, Text, TextInput } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "@guildhall/client";
import { useEffect, useRef, useState } from "react";
import { api, type Order, type OrderStatus } from "../../api";
import { useDraft } from "../../lib/drafts";
import { cancellable, shippable } from "../../lib/order-status";
import { orderChanged } from "../../lib/refresh";
import { useSession } from "../../session";
import { t, type TextKey } from "../../text";
import { GuardedButton, sentenceOf, Status } from "../../ui/basics";
import { notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";

interface Action {
  kind: "paid" | "prepare" | "ship" | "cancel";
  from: OrderStatus[];
  to: OrderStatus;
  /** It sends no message and moves no money, so it needs no confirmation. */
  harmless?: boolean;
}
const actions: Action[] = [
  { kind: "paid", from: ["PENDING_PAYMENT"], to: "PAID" },
  { kind: "prepare", from: ["PAID"], to: "FULFILLING", harmless: true },
  { kind: "ship", from: shippable, to: "SHIPPED" },
  { kind: "cancel", from: cancellable, to: "CANCELLED" },
];

export function BulkBar({ orders, clear }: { orders: Order[]; clear: () => void }) {
  const { may } = useSession();
  const [open, setOpen] = useState<{ action: Action; orders: Order[] } | null>(null);
  return (
    <Paper p="xs" mb="sm" className="bulk-bar" role="region" aria-label={t("bulk.title")}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text fw={600} aria-live="polite">
            {t("bulk.selected", { count: orders.length })}
          </Text>
          <Button size="xs" variant="subtle" onClick={clear}>
            {t("bulk.clear")}
          </Button>
        </Group>
        <Group gap="xs">
          {actions.map((action) => {
            const fitting = orders.filter((order) => action.from.includes(order.status));
            return (
              <GuardedButton
                key={action.kind}
                size="xs"
                variant="default"
                allowed={may("data.write") && fitting.length > 0}
                reason={may("data.write") ? t("bulk.noneFits") : undefined}
                onClick={() => setOpen({ action, orders: fitting })}
              >
                {t(`bulk.${action.kind}`)}
              </GuardedButton>
            );
          })}
          <GuardedButton
            allowed
            size="xs"
            variant="default"
            leftSection={<IconPrinter size={14} />}
            href={`/orders/print?ids=${orders.map((order) => order.id).join()}`}
          >
            {t("action.print")}
          </GuardedButton>
        </Group>
      </Group>
      {open && <BulkDialog {...open} left={orders.length - open.orders.length} close={() => setOpen(null)} />}
    </Paper>
  );
}

type Result = { order: Order; error: Error | null };

function BulkDialog({
  action,
  orders,
  left,
  close,
}: {
  action: Action;
  orders: Order[];
  left: number;
  close: () => void;
}) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const [results, setResults] = useState<Result[] | null>(null);
  const [running, setRunning] = useState(false);
  const stopped = useRef(false);
  useDraft(running); // the list stays as it is meanwhile
  const danger = action.kind === "cancel";
  const started = useRef(false);
  const start = async () => {
    setRunning(true);
    const done: Result[] = [];
    for (const order of orders) {
      if (stopped.current) break;
      done.push({ order, error: await changeOne(order, action.to) });
      setResults([...done]);
    }
    setRunning(false);
    await orderChanged(queries);
    if (!action.harmless || done.some((result) => result.error !== null)) return;
    notifySaved(t("bulk.prepared", { count: done.length }));
    close();
  };
  useEffect(() => {
    if (!action.harmless || started.current) return;
    started.current = true;
    void start();
  });
  const failed = results?.filter((result) => result.error !== null).length ?? 0;
  return (
    <Modal
      onClose={close}
      title={t(`bulk.${action.kind}`)}
      size="lg"
      closeOnClickOutside={!running}
      closeOnEscape={!running}
      withCloseButton={!running}
    >
      <Stack>
        {results === null && !running && !action.harmless ? (
          <>
            <Text>
              {t(`bulk.${action.kind}Text` as TextKey, { count: orders.length })}{" "}
              {left > 0 && t("bulk.left", { count: left })}
            </Text>
            <Text size="sm" c="dimmed" className="break-anywhere">
              {orders.map((order) => order.orderNumber).join(", ")}
            </Text>
            {danger && (
              <TextInput
                data-autofocus
                label={t("confirm.type", { text: String(orders.length) })}
                value={typed}
                autoComplete="off"
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t("action.cancel")}
              </Button>
              <Button
                color={danger ? "red" : undefined}
                disabled={danger && typed !== String(orders.length)}
                onClick={() => void start()}
              >
                {t(`bulk.${action.kind}Button` as TextKey, { count: orders.length })}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Progress value={((results?.length ?? 0) / orders.length) * 100} aria-label={t("bulk.progress")} />
            <Text role="status">
              {t("bulk.state", { done: (results?.length ?? 0) - failed, failed, count: orders.length })}
            </Text>
            <List listStyleType="none" spacing="xs" mah="50vh" style={{ overflowY: "auto" }} tabIndex={0}>
              {results?.map(({ order, error }) => (
                <List.Item key={order.id}>
                  <Group gap="xs">
                    <Text fw={600}>{order.orderNumber}</Text>
                    <Status value={error ? "FAILED" : "DONE"} kind="bulkResult" />
                  </Group>
                  {error && <Text size="sm">{sentenceOf(error)}</Text>}
                </List.Item>
              ))}
            </List>
            <Group justify="flex-end">
              {running ? (
                <Button variant="default" onClick={() => void (stopped.current = true)}>
                  {t("bulk.stop")}
                </Button>
              ) : (
                <Button onClick={close}>{t("action.close")}</Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}

/** Returns why the order was not changed, or null. An order that somebody has changed since it was listed is left alone. */
async function changeOne(shown: Order, status: OrderStatus): Promise<Error | null> {
  const path = `/api/data/order/${encodeURIComponent(shown.id)}`;
  try {
    const { record, etag } = await api.read<Order>(path);
    if (record.status !== shown.status)
      return new Error(t("bulk.changed", { status: t(`orderStatus.${record.status}`) }));
    const steps: OrderStatus[] =
      status === "SHIPPED" && record.status === "PAID" ? ["FULFILLING", "SHIPPED"] : [status];
    let version = etag;
    for (const step of steps)
      version = (
        await api.patch<Order>(path, { status: step }, { ifMatch: version, idempotencyKey: newIdempotencyKey() })
      ).etag;
    return null;
  } catch (thrown) {
    return thrown as Error;
  }
}
