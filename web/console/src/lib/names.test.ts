import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, createElement } from "react";
import { expect, test, vi } from "vitest";
import { runHook } from "./hook-test";
import { useCurrency, useName } from "./names";

test("the names of one moment are one request for each kind and hundred, and a record that is gone has none", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const query = new URL(url, location.href).searchParams;
    const ids = query.get("ids")!.split(",");
    asked.push(`${query.get("kind")} ${ids.length}`);
    return Response.json({
      items: ids.filter((id) => id !== "gone").map((id) => ({ id, name: `Name of ${id}`, currency: "JPY" })),
    });
  });
  const queries = new QueryClient();
  const ids = Array.from({ length: 101 }, (_, index) => `p${index}`);
  const page = runHook(
    () => ({
      products: ids.map((id) => useName("product", id)),
      gone: useName("customer", "gone"),
      none: useName("customer", null),
      currency: useCurrency("product", "p7"),
    }),
    (content) => createElement(QueryClientProvider, { client: queries }, content),
  );
  expect(page.now().products[0]).toBeUndefined();
  await act(async () => {
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0));
    await new Promise((done) => setTimeout(done));
  });
  expect(asked.sort()).toEqual(["customer 1", "product 1", "product 100"]);
  expect(page.now().products[100]).toBe("Name of p100");
  expect([page.now().gone, page.now().none, page.now().currency]).toEqual([null, undefined, "JPY"]);
});
