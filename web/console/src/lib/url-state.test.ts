import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { runHook } from "./hook-test";
import { useUrlState } from "./url-state";

const open = (search: string) => history.replaceState(null, "", `/console/orders${search}`);
const hook = () => runHook(() => useUrlState(["status", "search"] as const));
beforeEach(() => open(""));

test("a value that is not in the address is empty", () => {
  open("?status=PAID&status=SHIPPED&search=");
  const state = hook();
  expect(state.now().values).toEqual({ status: "PAID", search: "" });
  expect(state.now().filtered).toBe(true);
});

test("a change keeps the other values, and begins with the first page", () => {
  open("?status=PAID&after=abc&tab=all");
  const state = hook();
  act(() => state.now().change({ search: "a b&c=d" }));
  expect(location.search).toBe("?status=PAID&tab=all&search=a+b%26c%3Dd");
  expect(state.now().values.search).toBe("a b&c=d");
});

test("an empty value leaves the address, and no entry of the history is added", () => {
  open("?status=PAID");
  const state = hook();
  const before = history.length;
  act(() => state.now().change({ status: "" }));
  expect([location.search, history.length, state.now().filtered]).toEqual(["", before, false]);
});

test("clearing removes everything", () => {
  open("?status=PAID&search=x&after=abc");
  const state = hook();
  act(() => state.now().clear());
  expect(location.search).toBe("");
});
