import { describe, expect, test } from "vitest";
import type { Timeline } from "../api";
import { momentText, momentTitle, withoutRepetitions } from "./timeline";

type Entry = Timeline["items"][number];
const entry = (kind: string, changes: object = {}, at = "2026-11-18T12:00:00.000Z") =>
  ({ kind, changes, at }) as unknown as Entry;
const plain = (text: string) => text.replace(/\s/g, " ");

describe("repetitions", () => {
  const paid = { status: { before: "PENDING_PAYMENT", after: "PAID" } };
  test("the status of an order that is paid at that moment is said once", () => {
    expect(withoutRepetitions([entry("PAID"), entry("STATUS_CHANGED", paid)]).map(({ kind }) => kind)).toEqual([
      "PAID",
    ]);
  });
  test("another status, another moment, or a payment that is not there stays", () => {
    const others = [
      entry("PAID"),
      entry("STATUS_CHANGED", { status: { after: "SHIPPED" } }),
      entry("STATUS_CHANGED", paid, "2026-11-18T12:00:01.000Z"),
    ];
    expect(withoutRepetitions(others)).toHaveLength(3);
    expect(withoutRepetitions([entry("STATUS_CHANGED", paid)])).toHaveLength(1);
  });
});

test("titles", () => {
  expect(momentTitle(entry("STATUS_CHANGED", { status: { after: "FULFILLING" } }))).toBe("In preparation");
  expect(momentTitle(entry("STATUS_CHANGED"))).toBe("Status changed");
  expect(momentTitle(entry("PARCEL", { parcel: { after: { status: "DELIVERED" } } }))).toBe("Parcel: Delivered");
  expect(momentTitle(entry("PARCEL", { shippingStatus: { after: "SHIPPED" } }))).toBe("Parcel: In transit");
  expect(momentTitle(entry("PARCEL", { trackingNumber: { after: "1Z" } }))).toBe("Parcel");
});

describe("texts", () => {
  const text = (kind: string, changes: object, currency = "USD") => plain(momentText(entry(kind, changes), currency));
  test("of discounts", () => {
    expect(text("DISCOUNT_APPLIED", { discountCode: { after: "SALE" }, discountAmountCents: { after: 500 } })).toBe(
      "SALE · \u2212$5.00",
    );
    expect(text("DISCOUNT_APPLIED", { discountCode: { after: "SALE" }, discountAmountCents: { after: 0 } })).toBe(
      "SALE · $0.00",
    );
    expect(text("DISCOUNT_APPLIED", { discountAmountCents: { after: 500 } }, "JPY")).toBe("\u2212¥500");
    expect(
      text("DISCOUNT_REMOVED", { discountCode: { before: "SALE", after: null }, discountAmountCents: { after: 0 } }),
    ).toBe("SALE");
  });
  test("of refunds, in the currency of the refund", () => {
    expect(
      text("REFUND", {
        refund: { after: { amountCents: 1500, currency: "KWD", status: "FAILED", reason: null, error: "refused" } },
      }),
    ).toBe("KWD 1.500 · Failed · refused");
    expect(text("REFUND", { refund: { after: { amountCents: 1500, currency: "", status: "DONE" } } })).toBe(
      "$15.00 · Done",
    );
  });
  test("of parcels", () => {
    expect(text("PARCEL", { parcel: { after: { carrier: "DHL", trackingNumber: "1Z" } } })).toBe("DHL · 1Z");
    expect(text("PARCEL", { trackingNumber: { after: null } })).toBe("");
  });
  test("of prices that were set by hand", () => {
    const made = [
      { field: "unitPriceCents", itemName: "Mug", cents: 100, computedCents: 200, currency: "JPY" },
      { field: "totalCents", cents: 0, computedCents: 200 },
    ];
    expect(text("PRICE_OVERRIDDEN", { priceOverrides: { after: made } })).toBe(
      "Mug set manually: ¥100 instead of ¥200. Total set manually: $0.00 instead of $2.00.",
    );
    expect(text("PRICE_OVERRIDDEN", {})).toBe("");
  });
  test("of edits: each field once, amounts with both values", () => {
    expect(
      text("EDITED", { "items[0].quantity": {}, "items[1].quantity": {}, totalCents: { before: 1000, after: 2700 } }),
    ).toMatch(/^[^·]+ · [^·]+: \$10\.00 → \$27\.00$/);
  });
  test("nothing where the title says everything", () =>
    expect(text("CREATED", { status: { after: "PENDING_PAYMENT" } })).toBe(""));
});
