// Returning money: all of it, an amount, or certain items. A preview says who returns what before anything happens.
import { Group, NumberInput, SegmentedControl, Stack, Table, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { newIdempotencyKey, type Page } from "@guildhall/client";
import { useState } from "react";
import { api, type Order, type Payment, type PriceTrace, type RefundList } from "../../api";
import { minorUnits, money, moneyInput, parseMoney } from "../../lib/format";
import { refundParts, refundOfItems } from "../../lib/refund";
import { t, type TextKey } from "../../text";
import { ConfirmDialog } from "../../ui/dialogs";
import { notifySaved } from "../../ui/form";

type Mode = "full" | "part" | "items";

export function RefundDialog({
  order,
  path,
  done,
  close,
}: {
  order: Order;
  path: string;
  done: () => Promise<unknown>;
  close: () => void;
}) {
  const payments = useQuery({
    queryKey: ["/api/admin/payments", "order", order.id],
    queryFn: () =>
      api.get<Page<Payment>>("/api/admin/payments", { query: { orderId: order.id } }).then((page) => page.items),
  });
  const refunds = useQuery({
    queryKey: [path, "refunds", order.updatedAt],
    queryFn: () => api.get<RefundList>(`${path}/refunds`),
  });
  const trace = useQuery({
    queryKey: [path, "pricing", order.updatedAt],
    queryFn: () => api.get<PriceTrace>(`${path}/pricing`),
  });
  const parts = refundParts(order, payments.data ?? [], refunds.data?.items ?? []);
  const left = parts.reduce((sum, part) => sum + part.cents, 0);

  const [mode, setMode] = useState<Mode>("full");
  const [typedAmount, setAmount] = useState<string | null>(null);
  const [quantities, setQuantities] = useState<number[]>(order.items.map(() => 0));
  const [reason, setReason] = useState("");
  // One key for the whole dialog: a second click pays nothing twice.
  const [key] = useState(newIdempotencyKey);

  const amount = typedAmount ?? moneyInput(left, order.currency);
  const perItem = refundOfItems(order, trace.data ?? null, quantities);
  const ofItems = Math.min(
    perItem.reduce((sum, cents) => sum + cents, 0),
    left,
  );
  const cents = mode === "full" ? left : mode === "part" ? parseMoney(amount, order.currency) : ofItems;
  const valid = cents !== null && cents > 0 && cents <= left;
  const wrong = t("refunds.amountWrong", { amount: money(left, order.currency) });
  return (
    <ConfirmDialog
      danger
      typed={order.orderNumber}
      title={t("order.refund")}
      text={t("refunds.left", { name: order.customer.name, amount: money(left, order.currency) })}
      button={valid ? t("refunds.button", { amount: money(cents, order.currency) }) : t("order.refund")}
      run={async () => {
        if (!valid) throw new Error(wrong);
        await api.post(
          `${path}/refund`,
          { ...(mode !== "full" && { amountCents: cents }), reason: reason || null },
          { idempotencyKey: key },
        );
        await done();
        notifySaved(t("refunds.done"));
      }}
      close={close}
    >
      <SegmentedControl
        fullWidth
        aria-label={t("refunds.mode")}
        value={mode}
        onChange={(value) => setMode(value as Mode)}
        data={(["full", "part", "items"] as const).map((value) => ({ value, label: t(`refunds.${value}`) }))}
      />
      {mode === "part" && (
        <TextInput
          label={t("refunds.amount", { currency: order.currency })}
          inputMode={minorUnits(order.currency) === 0 ? "numeric" : "decimal"}
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={valid ? null : wrong}
        />
      )}
      {mode === "items" && (
        <Table aria-label={t("refunds.items")} horizontalSpacing={4}>
          <Table.Tbody>
            {order.items.map((item, index) => (
              <Table.Tr key={index}>
                <Table.Td className="break-anywhere">
                  {item.name}
                  <Text size="xs" c="dimmed">
                    {t("refunds.bought", { count: item.quantity })}
                  </Text>
                </Table.Td>
                <Table.Td w={88}>
                  <NumberInput
                    size="xs"
                    aria-label={t("refunds.quantity", { name: item.name })}
                    min={0}
                    max={item.quantity}
                    clampBehavior="strict"
                    allowDecimal={false}
                    value={quantities[index] ?? 0}
                    onChange={(value) =>
                      setQuantities((before) => before.map((each, at) => (at === index ? Number(value) || 0 : each)))
                    }
                  />
                </Table.Td>
                <Table.Td className="numeric">{money(perItem[index] ?? 0, order.currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {mode === "items" && (
        <Text size="sm" c="dimmed">
          {t("refunds.itemsText")}
        </Text>
      )}
      {valid && <Preview parts={parts} cents={cents} order={order} />}
      <TextInput
        label={t("refunds.reason")}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

/** Says who returns which part of the amount. The server splits it in the same way. */
function Preview({ parts, cents, order }: { parts: ReturnType<typeof refundParts>; cents: number; order: Order }) {
  let open = cents;
  const shares = parts.flatMap((part) => {
    const share = Math.min(open, part.cents);
    open -= share;
    return share > 0 ? [{ ...part, cents: share }] : [];
  });
  return (
    <Stack gap={4} role="status">
      {shares.map((share, index) => (
        <Group key={index} justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm">
            {share.provider === "MANUAL"
              ? t("refunds.youReturn")
              : t("refunds.theyReturn", { name: t(`provider.${share.provider}` as TextKey) })}
          </Text>
          <Text size="sm" fw={600} className="numeric">
            {money(share.cents, order.currency)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
