import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { changed, concernedBy, orderChanged, readAgain } from "./refresh";

const keys = [
  ["session"],
  ["attention"],
  ["checklist"],
  ["/api/data/order", "page", {}, ""],
  ["/api/data/order/1"],
  ["/api/data/order/open/summary"],
  ["/api/data/product/2"],
  ["/api/data/name", "customer", "3"],
  ["/api/data/customer/3"],
  ["/api/data/discount", {}],
  ["/api/admin/payments", "flagged"],
  ["/api/admin/memberships/4"],
  ["/api/admin/tokens"],
  ["/api/admin/audit", {}],
];

/** The keys that are read again. */
async function after(change: (queries: QueryClient) => Promise<void>): Promise<string[]> {
  const queries = new QueryClient();
  for (const key of keys) queries.setQueryData(key, "read");
  await change(queries);
  return keys.filter((key) => queries.getQueryState(key)?.isInvalidated).map(([first]) => String(first));
}

test("an order concerns its lists, its own page, payments and stock, but neither the session nor tokens", async () => {
  const read = await after(orderChanged);
  expect(read).toEqual(
    expect.arrayContaining([
      "/api/data/order",
      "/api/data/order/1",
      "/api/data/order/open/summary",
      "/api/data/product/2",
      "/api/data/discount",
      "/api/admin/payments",
      "/api/admin/memberships/4",
      "attention",
      "/api/admin/audit",
    ]),
  );
  for (const other of ["session", "/api/admin/tokens", "/api/data/customer/3", "/api/data/name"])
    expect(read).not.toContain(other);
});

test("a customer concerns no order", async () => {
  expect(await after((queries) => changed(queries, "customer"))).toEqual([
    "attention",
    "checklist",
    "/api/data/customer/3",
    "/api/admin/audit",
  ]);
});

test("a kind that is not known concerns the administration", () => {
  expect(concernedBy("fund")).toContain("/api/admin/");
  expect(concernedBy("toString")).toContain("/api/admin/");
});

test("an empty beginning is everything", async () =>
  expect(await after((queries) => readAgain(queries, [""]))).toHaveLength(keys.length));
