// Small rules that decide what pages offer.
import { expect, test, vi } from "vitest";
import type { Order, PaymentMethod } from "../api";
import { isUsable } from "./checklist";
import { likelyCurrency, timeZoneChoices } from "./currencies";
import { hasParcel } from "./order-status";
import { mayGive, rightName } from "./roles";

test.each([
  ["PENDING", { city: "Bonn" }, "PENDING_PAYMENT", false],
  ["PENDING", { city: "Bonn" }, "PAID", true],
  ["PENDING", { city: "Bonn" }, "CANCELLED", false],
  ["PENDING", null, "PAID", false],
  ["SHIPPED", null, "CANCELLED", true],
])("shipping %s to %j of an order that is %s", (shippingStatus, shippingAddress, status, parcel) => {
  expect(hasParcel({ shippingStatus, shippingAddress, status } as unknown as Order)).toBe(parcel);
});

test("a method without a processor needs no account", () => {
  const method = (enabled: boolean, configured: boolean, processor: string | null) =>
    isUsable({ enabled, configured, processor } as unknown as PaymentMethod);
  expect([
    method(true, false, null),
    method(true, true, "WALLET"),
    method(true, false, "WALLET"),
    method(false, true, "WALLET"),
  ]).toEqual([true, true, false, false]);
});

test("nobody gives a role that they do not hold themselves", () => {
  const with_ =
    (...keys: string[]) =>
    (key: string) =>
      keys.includes(key);
  expect(mayGive(with_("data.read", "data.write"), "TenantStaff")).toBe(true);
  expect(mayGive(with_("data.read"), "TenantStaff")).toBe(false);
  expect(mayGive(with_("data.read", "data.write", "admin.access"), "TenantAdmin")).toBe(false);
  expect(mayGive(with_("PlatformAdmin"), "TenantAdmin")).toBe(true);
  expect(rightName("Packers")).toBe("Packers");
});

test.each([
  [["de-CH", "en"], "CHF"],
  [["de"], "EUR"],
  [["ja"], "JPY"],
  [["ar-KW"], "KWD"],
  [["eo", "pl"], "PLN"],
  [[], "USD"],
])("a browser with the languages %j probably pays in %s", (languages, currency) => {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
  expect(likelyCurrency()).toBe(currency);
});

test("the chosen time zone is offered, once", () => {
  const zones = timeZoneChoices("Europe/Berlin");
  expect(zones.filter((zone) => zone === "Europe/Berlin" || zone === "UTC")).toEqual(["UTC", "Europe/Berlin"]);
  expect(timeZoneChoices("Mars/Base")).toContain("Mars/Base");
});
