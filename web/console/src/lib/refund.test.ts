import { describe, expect, test } from "vitest";
import type { Order, Payment, PriceTrace, Refund } from "../api";
import { refundOfItems, refundParts } from "./refund";

const order = (changes: Partial<Order> = {}) =>
  ({
    totalCents: 3000,
    subtotalCents: 3000,
    discountAmountCents: 0,
    taxAmountCents: 0,
    currency: "USD",
    items: [],
    ...changes,
  }) as unknown as Order;
const payment = (id: string, changes: Partial<Payment> = {}) =>
  ({
    id,
    provider: "WALLET",
    status: "PAID",
    currency: "USD",
    amountCents: 1000,
    refundedCents: 0,
    attention: null,
    createdAt: "2026-11-01T00:00:00.000Z",
    ...changes,
  }) as unknown as Payment;
const refund = (changes: Partial<Refund>) =>
  ({ status: "DONE", amountCents: 400, paymentId: null, ...changes }) as unknown as Refund;

describe("the parts of a refund", () => {
  test("flagged payments come first, then the newest", () => {
    const payments = [
      payment("old", { amountCents: 1 }),
      payment("new", { amountCents: 2, createdAt: "2026-11-03T00:00:00.000Z" }),
      payment("flagged", { amountCents: 3, attention: "OVERPAID" as Payment["attention"] }),
    ];
    expect(refundParts(order(), payments, []).map((part) => part.cents)).toEqual([3, 2, 1]);
  });
  test("payments that have brought no money, or that of another currency, do not count", () => {
    const payments = [
      payment("open", { status: "PENDING" as Payment["status"] }),
      payment("euro", { currency: "EUR" }),
      payment("paid"),
    ];
    expect(refundParts(order(), payments, [])).toEqual([{ provider: "WALLET", cents: 1000 }]);
  });
  test("what is returned or reserved cannot be returned again", () => {
    expect(
      refundParts(
        order(),
        [payment("p", { refundedCents: 300 })],
        [refund({ paymentId: "p", status: "PENDING", amountCents: 300 })],
      ),
    ).toEqual([{ provider: "WALLET", cents: 700 }]);
    expect(
      refundParts(order(), [payment("p")], [refund({ paymentId: "p", status: "PENDING", amountCents: 300 })]),
    ).toEqual([{ provider: "WALLET", cents: 700 }]);
    expect(refundParts(order(), [payment("p", { status: "REFUNDED", refundedCents: 1000 })], [])).toEqual([
      { provider: "WALLET", cents: 0 },
    ]);
    expect(
      refundParts(order(), [payment("p")], [refund({ paymentId: "p", status: "FAILED", amountCents: 300 })]),
    ).toEqual([{ provider: "WALLET", cents: 1000 }]);
  });
  test("an order that was marked as paid by hand returns its total, once", () => {
    expect(refundParts(order(), [], [])).toEqual([{ provider: "MANUAL", cents: 3000 }]);
    expect(
      refundParts(order(), [], [refund({ amountCents: 400 }), refund({ status: "FAILED", amountCents: 900 })]),
    ).toEqual([{ provider: "MANUAL", cents: 2600 }]);
    expect(refundParts(order(), [], [refund({ amountCents: 4000 })])).toEqual([{ provider: "MANUAL", cents: 0 }]);
  });
});

describe("the refund of items", () => {
  const items = (...lines: [quantity: number, price: number][]) =>
    lines.map(([quantity, unitPriceCents]) => ({ quantity, unitPriceCents })) as unknown as Order["items"];
  const trace = (itemIndexes: number[]) => ({ discount: { itemIndexes } }) as unknown as PriceTrace;

  test("has their share of the discount and of the tax", () => {
    const all = order({
      items: items([2, 1000], [1, 2000]),
      subtotalCents: 4000,
      discountAmountCents: 400,
      taxAmountCents: 720,
    });
    expect(refundOfItems(all, null, [1, 0])).toEqual([1080, 0]);
    expect(refundOfItems(all, null, [2, 1])).toEqual([2160, 2160]);
  });
  test("only the items that the discount is for have a share of it", () => {
    const some = order({ items: items([1, 1000], [1, 3000]), subtotalCents: 4000, discountAmountCents: 500 });
    expect(refundOfItems(some, trace([0]), [1, 1])).toEqual([500, 3000]);
    expect(refundOfItems(some, trace([]), [1, 1])).toEqual([1000, 3000]);
  });
  test("no more and no less items than there are", () => {
    const one = order({ items: items([2, 500]), subtotalCents: 1000 });
    expect(refundOfItems(one, null, [5])).toEqual([1000]);
    expect(refundOfItems(one, null, [-1])).toEqual([0]);
    expect(refundOfItems(one, null, [])).toEqual([0]);
  });
  test("half a minor unit is rounded up, also of a currency that has none", () => {
    const yen = order({ currency: "JPY", items: items([2, 101]), subtotalCents: 202, discountAmountCents: 101 });
    expect(refundOfItems(yen, null, [1])).toEqual([51]);
  });
  test("an order that costs nothing returns nothing", () => {
    const free = order({ totalCents: 0, items: items([1, 1000]), subtotalCents: 1000, discountAmountCents: 1000 });
    expect(refundOfItems(free, null, [1])).toEqual([0]);
    expect(refundOfItems(order({ items: items([1, 0]), subtotalCents: 0 }), null, [1])).toEqual([0]);
  });
});
