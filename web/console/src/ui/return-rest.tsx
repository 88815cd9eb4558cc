// Returns what a buyer has paid too much, with one click: the amount is not the shop's, and the button names it.
import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "@guildhall/client";
import { useMemo } from "react";
import { api, type Payment } from "../api";
import { useAction } from "../lib/action";
import { money } from "../lib/format";
import { changed } from "../lib/refresh";
import { t, type TextKey } from "../text";
import { ErrorNotice, GuardedButton } from "./basics";
import { notifySaved } from "./form";

/** The amount that a flagged payment still holds above what was asked for. */
export function restOf(payment: Payment): number {
  return payment.attention === "OVERPAID" && payment.orderId
    ? Math.max(0, payment.amountCents - payment.refundedCents - payment.expectedCents)
    : 0;
}

/** Only for processors that return a part of a payment themselves. */
const returns = ["WALLET", "APPPAY"];

export function ReturnRest({ payment }: { payment: Payment }) {
  const queries = useQueryClient();
  // A repeated click returns nothing twice; after a further change of the payment it is another refund.
  const key = useMemo(newIdempotencyKey, [payment.id, payment.updatedAt]);
  const cents = restOf(payment);
  const amount = money(cents, payment.currency);
  const action = useAction(async () => {
    await api.post(
      `/api/data/order/${encodeURIComponent(payment.orderId!)}/refund`,
      { amountCents: cents, paymentId: payment.id, reason: t("payments.restReason") },
      { idempotencyKey: key },
    );
    await changed(queries, "refund");
    notifySaved(t("refunds.done"));
  });
  if (cents === 0) return null;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {returns.includes(payment.provider)
          ? t("refunds.theyReturn", { name: t(`provider.${payment.provider}` as TextKey) })
          : t("refunds.youReturn")}
      </Text>
      {action.error && <ErrorNotice error={action.error} />}
      <GuardedButton allowed size="xs" loading={action.busy} onClick={() => void action.run()}>
        {t("payments.returnRest", { amount })}
      </GuardedButton>
    </Stack>
  );
}
