import { expect, test } from "vitest";
import { axisProps } from "./axis";

test.each([
  [[], "USD"],
  [[0, 0], "JPY"],
  [[1], "USD"],
  [[123456], "USD"],
  [[999, 1000, 1001], "KWD"],
  [[-5000, 120000], "USD"],
  [[-120000, -5], "USD"],
  [[7], "JPY"],
  [[Number.MAX_SAFE_INTEGER], "JPY"],
])("an axis for %j in %s has at most six round ticks, zero among them, and shows all amounts", (values, currency) => {
  const { ticks, domain } = axisProps(values, currency);
  expect(ticks.length).toBeGreaterThan(1);
  expect(ticks.length).toBeLessThanOrEqual(6);
  expect(ticks).toContain(0);
  for (const value of values) expect(value >= domain[0] && value <= domain[1]).toBe(true);
  const steps = new Set(ticks.slice(1).map((tick, index) => tick - ticks[index]!));
  expect(steps.size).toBe(1);
  expect(String([...steps][0])).toMatch(/^[125]0*$/);
});

test("no step is smaller than one unit of the currency", () => {
  expect(axisProps([30], "USD").ticks).toEqual([0, 100]);
  expect(axisProps([3], "JPY").ticks).toEqual([0, 1, 2, 3]);
  expect(axisProps([30], "KWD").ticks).toEqual([0, 1000]);
});
