import { expect, test } from "vitest";
import { filterValues, valuesOf } from "./enums";
import { closedStatuses, nextStatus, openStatuses } from "./lib/order-status";
import { textOr } from "./text";

test("values are those of the API, in its order", () => {
  expect(valuesOf("Refund", "status")).toEqual(["PENDING", "DONE", "FAILED"]);
  expect(filterValues("/api/data/order", "paymentMethod")).toContain("BTC_GATEWAY");
});

test("an order is open until no status follows", () => {
  expect(openStatuses).toEqual(Object.keys(nextStatus));
  expect(closedStatuses).toEqual(["COMPLETE", "CANCELLED", "REFUNDED"]);
});

test.each([
  ["orderStatus", valuesOf("Order", "status")],
  ["shippingStatus", valuesOf("Order", "shippingStatus")],
  ["paymentStatus", valuesOf("PaymentView", "status")],
  ["provider", valuesOf("PaymentView", "provider")],
  ["method", filterValues("/api/data/order", "paymentMethod")],
  ["refundStatus", valuesOf("Refund", "status")],
  ["entitlementStatus", valuesOf("Entitlement", "status")],
  ["entitlementType", valuesOf("Entitlement", "type")],
  ["deliverableKind", valuesOf("Deliverable", "kind")],
  ["keyStatus", valuesOf("DeliveryKey", "status")],
  ["codeStatus", valuesOf("MembershipCode", "status")],
  ["source", valuesOf("Customer", "source")],
  ["actor", valuesOf("AuditRecord", "actorKind")],
  ["sentStatus", valuesOf("LoggedMessage", "status")],
  ["messages.kind", valuesOf("LoggedMessage", "kind")],
  ["messageStatus", valuesOf("StoredMessage", "status")],
  ["moment", valuesOf("TimelineEntry", "kind")],
  ["stockLevel", valuesOf("StockRow", "level")],
] as const)("every %s has a text", (kind, values) => {
  for (const value of values) expect(textOr(`${kind}.${value}`, "")).not.toBe("");
});
