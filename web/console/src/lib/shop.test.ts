import { afterEach, expect, test } from "vitest";
import { instantOf, setShop, shopCurrency, shopDay, shopTime, shopTimeZone } from "./shop";

const inZone = (timeZone: string | null) => setShop({ effectiveCurrency: "JPY", timeZone });
afterEach(() => setShop({ effectiveCurrency: "USD" }));

test("a shop that has chosen no time zone has that of the browser", () => {
  inZone(null);
  expect([shopCurrency(), shopTimeZone()]).toEqual(["JPY", "America/New_York"]);
});

test.each([
  ["Asia/Tokyo", "2026-11-17T15:00:00Z", "2026-11-18"],
  ["Asia/Tokyo", "2026-11-17T14:59:59Z", "2026-11-17"],
  ["America/Los_Angeles", "2026-11-17T07:30:00Z", "2026-11-16"],
  ["Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2027-01-01"],
  ["UTC", "2026-11-17T00:00:00Z", "2026-11-17"],
])("in %s the day at %s is %s", (zone, now, day) => {
  inZone(zone);
  expect(shopDay(0, Date.parse(now))).toBe(day);
});

test("days ago are days of the calendar, also when a day had 23 or 25 hours", () => {
  inZone("Europe/Berlin");
  expect(shopDay(1, Date.parse("2026-03-29T22:30:00Z"))).toBe("2026-03-29");
  expect(shopDay(1, Date.parse("2026-10-25T22:59:00Z"))).toBe("2026-10-24");
  expect(shopDay(1, Date.parse("2026-03-01T12:00:00Z"))).toBe("2026-02-28");
});

test.each([
  ["Europe/Berlin", "2026-01-15T00:00:00", "2026-01-14T23:00:00.000Z"],
  ["Europe/Berlin", "2026-07-15T23:59:59.999", "2026-07-15T21:59:59.999Z"],
  ["Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59:00.000Z"],
  ["Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00.000Z"],
  ["America/New_York", "2026-11-01T00:30", "2026-11-01T04:30:00.000Z"],
  ["America/New_York", "2026-11-01T02:30", "2026-11-01T07:30:00.000Z"],
  ["Asia/Kathmandu", "2026-11-17T03:30", "2026-11-16T21:45:00.000Z"],
  ["UTC", "1969-12-31T23:59:59.500", "1969-12-31T23:59:59.500Z"],
])("in %s the clock shows %s at %s", (zone, local, instant) => {
  inZone(zone);
  expect(instantOf(local)).toBe(instant);
  expect(shopTime(instant)).toBe(local.slice(0, 16));
});

test.each([
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T03:30"],
  ["America/New_York", "2026-03-08T02:30", "2026-03-08T03:30"],
  ["America/Santiago", "2026-09-06T00:00", "2026-09-06T01:00"],
  ["Africa/Cairo", "2026-04-24T00:00", "2026-04-24T01:00"],
])("in %s the clock skips %s, and %s is taken instead", (zone, skipped, taken) => {
  inZone(zone);
  expect(shopTime(instantOf(skipped))).toBe(taken);
});
