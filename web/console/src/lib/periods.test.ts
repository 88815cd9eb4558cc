import { describe, expect, test } from "vitest";
import { daysIn, intervalFor, periodBefore, periodOf, type Preset } from "./periods";

test.each<[Preset, string, string]>([
  ["today", "2026-11-18", "2026-11-18"],
  ["7days", "2026-03-03", "2026-02-25"],
  ["30days", "2026-01-05", "2025-12-07"],
  ["month", "2026-11-01", "2026-11-01"],
  ["quarter", "2026-11-18", "2026-10-01"],
  ["quarter", "2026-03-31", "2026-01-01"],
  ["quarter", "2026-04-01", "2026-04-01"],
  ["year", "2026-11-18", "2026-01-01"],
])("%s up to %s begins on %s", (preset, today, from) => expect(periodOf(preset, today)).toEqual({ from, to: today }));

describe("the period before", () => {
  test.each<[Preset | null, string, string, string, string]>([
    ["today", "2026-03-01", "2026-03-01", "2026-02-28", "2026-02-28"],
    ["7days", "2026-11-12", "2026-11-18", "2026-11-05", "2026-11-11"],
    ["month", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
    ["month", "2028-03-01", "2028-03-30", "2028-02-01", "2028-02-29"],
    ["month", "2026-01-01", "2026-01-15", "2025-12-01", "2025-12-15"],
    ["quarter", "2026-04-01", "2026-05-31", "2026-01-01", "2026-02-28"],
    ["quarter", "2026-01-01", "2026-02-10", "2025-10-01", "2025-11-10"],
    ["year", "2028-01-01", "2028-02-29", "2027-01-01", "2027-02-28"],
    [null, "2026-03-10", "2026-03-12", "2026-03-07", "2026-03-09"],
    [null, "2026-10-20", "2026-10-27", "2026-10-12", "2026-10-19"],
  ])("%s of %s to %s is %s to %s", (preset, from, to, fromBefore, toBefore) =>
    expect(periodBefore({ from, to }, preset)).toEqual({ from: fromBefore, to: toBefore }),
  );
});

test("both ends of a period count, also where clocks are changed", () => {
  expect(daysIn({ from: "2026-11-18", to: "2026-11-18" })).toBe(1);
  expect(daysIn({ from: "2026-03-01", to: "2026-03-31" })).toBe(31);
  expect(daysIn({ from: "2028-01-01", to: "2028-12-31" })).toBe(366);
});

test.each([
  ["2026-01-01", "2026-03-03", "day"],
  ["2026-01-01", "2026-03-04", "week"],
  ["2026-01-01", "2026-07-03", "week"],
  ["2026-01-01", "2026-07-04", "month"],
] as const)("from %s to %s the interval is a %s", (from, to, interval) =>
  expect(intervalFor({ from, to })).toBe(interval),
);
