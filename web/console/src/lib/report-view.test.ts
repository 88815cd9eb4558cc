import { expect, test } from "vitest";
import { reportCsv, shownValue, viewOf } from "./report-view";

const salesRow = (start: string, netCents: number) => ({
  start,
  orders: 1,
  discountCents: 0,
  taxCents: 0,
  totalCents: netCents,
  refundCents: 0,
  netCents,
});
const sales = (currency: string, ...rows: ReturnType<typeof salesRow>[]) => ({
  currency,
  items: rows,
  totals: salesRow(
    "",
    rows.reduce((sum, row) => sum + row.netCents, 0),
  ),
});
const product = (productId: string, totalCents: number) => ({
  productId,
  name: productId,
  sku: "-1+1",
  units: 1,
  orders: 1,
  discountCents: 0,
  totalCents,
});
const before = (view: ReturnType<typeof viewOf>) => view.rows.map((row) => view.columns.at(-1)!.of(row));

test("intervals are compared by their place, and a longer period has nothing to compare with", () => {
  const view = viewOf(
    "sales",
    sales("USD", salesRow("2026-03-01", 10), salesRow("2026-03-02", 20)),
    sales("USD", salesRow("2026-02-01", 5)),
  );
  expect(before(view)).toEqual([5, null]);
  expect(view.columns.at(-1)!.of(view.totals)).toBe(5);
  expect(view.figures[0]).toMatchObject({ value: 30, before: 5 });
});

test("records are compared by their id: one that has sold nothing before had no sales, unless rows were left out", () => {
  const now = { currency: "USD", isComplete: true, items: [product("b", 20), product("a", 10)] };
  const earlier = { currency: "USD", isComplete: true, items: [product("a", 7)] };
  expect(before(viewOf("products", now, earlier))).toEqual([0, 7]);
  expect(before(viewOf("products", now, { ...earlier, isComplete: false }))).toEqual([null, 7]);
});

test("sums of discounts are not shown when rows are missing", () => {
  const row = { discountId: "d", code: null, orders: 2, grossCents: 30, discountCents: 10, totalCents: 20 };
  expect(
    viewOf("discounts", { currency: "USD", isComplete: true, items: [row, row] }, undefined).figures.map(
      ({ value }) => value,
    ),
  ).toEqual([20, 40, 4]);
  expect(viewOf("discounts", { currency: "USD", isComplete: false, items: [row] }, undefined).figures).toEqual([]);
});

test("a file has days as they are, amounts in units of the currency, and no formulas", () => {
  expect(reportCsv(viewOf("sales", sales("JPY", salesRow("2026-03-01", 1500)), undefined), "Day")).toMatch(
    /^Day,Orders,Discount \(JPY\),[^\r]*\r\n2026-03-01,1,0,0,1500,0,1500\r\n$/,
  );
  expect(
    reportCsv(viewOf("products", { currency: "KWD", isComplete: true, items: [product("a", 1500)] }, undefined), ""),
  ).toContain("a,'-1+1,1,1,0.000,1.500\r\n");
});

test("an amount that is not known is a dash, and zero is an amount", () => {
  expect(shownValue("money", null, "USD")).toBe("–");
  expect(shownValue("money", 0, "JPY")).toBe("¥0");
  expect(shownValue("count", 1234, "USD")).toBe("1,234");
  expect(shownValue("text", "", "USD")).toBe("");
});
