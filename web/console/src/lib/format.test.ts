import { afterEach, beforeEach, describe, expect, test } from "vitest";
import serverTable from "../../../../src/base/currency.cpp?raw";
import {
  count,
  dateOf,
  dateTime,
  fileSize,
  fullTime,
  minorUnits,
  money,
  moneyInput,
  moneyOnAxis,
  parseMoney,
  relativeTime,
} from "./format";
import { setShop } from "./shop";

beforeEach(() => {
  document.documentElement.lang = "en";
});
afterEach(() => setShop({ effectiveCurrency: "USD" }));

const inBerlin = () => setShop({ effectiveCurrency: "EUR", timeZone: "Europe/Berlin" });
/** Formatters separate with several kinds of spaces. */
const plain = (text: string) => text.replace(/\s/g, " ");

describe("minor units", () => {
  const ofServer = [...serverTable.matchAll(/\{"([A-Z]{3})", (\d)\}/g)].map(
    ([, code, units]) => [code!, Number(units)] as const,
  );
  test("the server has a table", () => expect(ofServer.length).toBeGreaterThan(150));
  test.each(ofServer)("of %s are %i as on the server", (code, units) => expect(minorUnits(code)).toBe(units));
});

test.each([
  [2700, "USD", "$27.00"],
  [5, "USD", "$0.05"],
  [-2700, "USD", "\u2212$27.00"],
  [1234567, "JPY", "¥1,234,567"],
  [1500, "KWD", "KWD 1.500"],
  [1, "KWD", "KWD 0.001"],
  [1234500, "HUF", "HUF 12,345.00"],
  [0, "USD", "$0.00"],
  [-0, "USD", "$0.00"],
  [999_999_999_999_999, "USD", "$9,999,999,999,999.99"],
])("%d in minor units of %s: %s", (cents, currency, text) => expect(plain(money(cents, currency))).toBe(text));

test("an amount follows the language of the page", () => {
  document.documentElement.lang = "de";
  expect(plain(money(-123456, "EUR"))).toBe("\u22121.234,56 €");
  expect(count(1234567)).toBe("1.234.567");
});

test.each([
  [150000, "USD", "$1,500"],
  [2750, "USD", "$27.50"],
  [-150000, "USD", "\u2212$1,500"],
  [12_000_000, "JPY", "¥12M"],
  [12_345_678, "USD", "$123K"],
  [2500, "KWD", "KWD 2.500"],
  [-0, "JPY", "¥0"],
])("%d in minor units of %s is %s on an axis", (cents, currency, text) =>
  expect(plain(moneyOnAxis(cents, currency))).toBe(text),
);

test.each<[string, string, number | null]>([
  ["27", "USD", 2700],
  ["27.5", "USD", 2750],
  ["27,50", "USD", 2750],
  [" 27.50 ", "USD", 2750],
  ["0", "USD", 0],
  ["1.005", "USD", null],
  ["1.005", "KWD", 1005],
  ["1.5", "KWD", 1500],
  ["1500", "JPY", 1500],
  ["15.0", "JPY", null],
  ["1,500", "JPY", null],
  ["12345", "HUF", 1234500],
  ["1,234.50", "USD", null],
  ["1.", "USD", null],
  [".5", "USD", null],
  ["-5", "USD", null],
  ["1e3", "USD", null],
  ["$5", "USD", null],
  ["", "USD", null],
  [" ", "USD", null],
  ["9999999999999.99", "USD", 999999999999999],
  ["9999999999999.999", "KWD", null],
])("%j in %s is %j", (text, currency, cents) => expect(parseMoney(text, currency)).toBe(cents));

test.each(["USD", "JPY", "KWD", "HUF", "CLF"])(
  "an amount of %s that is typed as it is shown stays the same",
  (currency) => {
    for (const cents of [0, 1, 99, 100, 1005, 2700, 110, 123456789, 4503599627370497])
      expect(parseMoney(moneyInput(cents, currency), currency) ?? cents).toBe(cents);
    expect(moneyInput(-5, "USD")).toBe("-0.05");
  },
);

describe("times", () => {
  const at = "2026-11-18T12:00:00Z";
  const later = (ms: number) => Date.parse(at) + ms;
  const minute = 60_000;
  test.each([
    [0, "now"],
    [59_999, "now"],
    [minute, "1 min. ago"],
    [12.9 * minute, "12 min. ago"],
    [59.9 * minute, "59 min. ago"],
    [60 * minute, "1 hr. ago"],
    [23.9 * 60 * minute, "23 hr. ago"],
    [-5 * minute, "in 5 min."],
  ])("%d ms later it is %s", (ms, text) => expect(relativeTime(at, later(ms))).toBe(text));

  test("after a day it is a date of the shop's calendar, with the year if that is another one there", () => {
    inBerlin();
    expect(relativeTime("2026-11-17T23:30:00Z", Date.parse("2026-11-20T00:00:00Z"))).toBe("Nov 18");
    expect(relativeTime("2025-12-31T22:30:00Z", Date.parse("2026-01-02T00:00:00Z"))).toBe("Dec 31, 2025");
    expect(relativeTime("2025-12-31T23:30:00Z", Date.parse("2026-01-02T00:00:00Z"))).toBe("Jan 1");
  });

  test("a date and a time are those of the shop, not of the browser", () => {
    inBerlin();
    expect(dateOf("2026-11-17T23:30:00Z")).toBe("Nov 18, 2026");
    expect(plain(dateTime("2026-07-01T10:00:00Z"))).toBe("Jul 1, 2026, 12:00 PM");
    expect(plain(fullTime("2026-07-01T10:00:00Z"))).toMatch(
      /^Wednesday, July 1, 2026.* 12:00:00 PM \(Europe\/Berlin\)$/,
    );
  });

  test("a shop without a time zone has that of the browser, which is not named", () => {
    setShop({ effectiveCurrency: "USD", timeZone: null });
    expect(plain(fullTime("2026-07-01T10:00:00Z"))).toMatch(/6:00:00 AM$/);
  });
});

test.each([
  [0, "0 byte"],
  [999, "999 byte"],
  [1000, "1 kB"],
  [1_500_000, "1.5 MB"],
  [2_000_000_000_000_000, "2,000 TB"],
])("%d bytes are %s", (bytes, text) => expect(fileSize(bytes)).toBe(text));
