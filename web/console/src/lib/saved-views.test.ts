import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { runHook } from "./hook-test";
import { useSavedViews } from "./saved-views";

const user = { tenantId: "one", userId: "ann" };
vi.mock("../session", () => ({ useSession: () => ({ session: { user } }) }));

beforeEach(() => {
  localStorage.clear();
  Object.assign(user, { tenantId: "one", userId: "ann" });
});
const views = () => runHook(() => useSavedViews("orders"));
type Views = ReturnType<typeof views>;
const save = (shown: Views, name: string, search: string) => act(async () => shown.now().save({ name, search }));

test("a view with the name of another one replaces it", async () => {
  const saved = views();
  await save(saved, "Open", "?a");
  await save(saved, "Mine", "?b");
  await save(saved, "Open", "?c");
  expect(saved.now().views).toEqual([
    { name: "Mine", search: "?b" },
    { name: "Open", search: "?c" },
  ]);
  await act(async () => saved.now().remove("Mine"));
  expect(views().now().views).toEqual([{ name: "Open", search: "?c" }]);
});

test("the oldest of more than twenty is given up", async () => {
  const saved = views();
  for (let n = 1; n <= 21; ++n) await save(saved, String(n), "");
  expect(saved.now().views.map(({ name }) => name)).toEqual(
    Array.from({ length: 20 }, (_, index) => String(index + 2)),
  );
});

test("another person and another shop have views of their own", async () => {
  const saved = views();
  await save(saved, "Open", "?a");
  user.userId = "bob";
  expect(views().now().views).toEqual([]);
  Object.assign(user, { tenantId: "two", userId: "ann" });
  expect(views().now().views).toEqual([]);
});
