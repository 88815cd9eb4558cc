// What can be returned for an order, and by whom. The server decides; this is shown before it is asked.
import type { Order, Payment, PriceTrace, Refund } from "../api";

export interface RefundPart {
  provider: Payment["provider"];
  cents: number;
}

/**
 * The amounts that can still be returned, in the order in which the server takes them: flagged payments first, then the
 * newest. An order that was marked as paid by hand has no payment: the shop returns its total.
 */
export function refundParts(order: Order, payments: Payment[], refunds: Refund[]): RefundPart[] {
  const reserved = (id: string) =>
    refunds
      .filter((refund) => refund.paymentId === id && refund.status === "PENDING")
      .reduce((sum, refund) => sum + refund.amountCents, 0);
  const received = payments.filter(
    (payment) => ["PAID", "REFUNDED"].includes(payment.status) && payment.currency === order.currency,
  );
  if (received.length === 0) {
    const returned = refunds
      .filter((refund) => refund.status !== "FAILED")
      .reduce((sum, refund) => sum + refund.amountCents, 0);
    return [{ provider: "MANUAL", cents: Math.max(0, order.totalCents - returned) }];
  }
  return received
    .sort(
      (one, other) =>
        Number(Boolean(other.attention)) - Number(Boolean(one.attention)) ||
        other.createdAt.localeCompare(one.createdAt),
    )
    .map((payment) => ({
      provider: payment.provider,
      cents: Math.max(0, payment.amountCents - Math.max(payment.refundedCents, reserved(payment.id))),
    }));
}

/** The price of some of the items as it was paid: with their share of the discount and of the tax, rounded half up. */
export function refundOfItems(order: Order, trace: PriceTrace | null, quantities: number[]): number[] {
  const discounted = trace?.discount?.itemIndexes;
  const line = (index: number) => order.items[index]!.quantity * order.items[index]!.unitPriceCents;
  const eligible = order.items.reduce(
    (sum, _, index) => sum + (!discounted || discounted.includes(index) ? line(index) : 0),
    0,
  );
  const base = order.subtotalCents - order.discountAmountCents;
  return order.items.map((item, index) => {
    const quantity = Math.min(Math.max(quantities[index] ?? 0, 0), item.quantity);
    const price = quantity * item.unitPriceCents;
    const share =
      (!discounted || discounted.includes(index)) && eligible > 0 ? (order.discountAmountCents * price) / eligible : 0;
    const net = price - share;
    const tax = base > 0 ? (order.taxAmountCents * net) / base : 0;
    return Math.max(0, Math.round(net + tax));
  });
}
