import { act } from "react";
import { expect, test } from "vitest";
import { useAction } from "./action";
import { runHook } from "./hook-test";

test("a double click acts once", async () => {
  let runs = 0;
  let finish = () => {};
  const button = runHook(() => useAction(() => new Promise<void>((done) => (++runs, (finish = done)))));
  let first: Promise<boolean> | undefined;
  await act(async () => {
    first = button.now().run();
    expect(await button.now().run()).toBe(false);
  });
  expect([runs, button.now().busy]).toEqual([1, true]);
  await act(async () => finish());
  expect([await first, button.now().busy]).toEqual([true, false]);
});

test("an error is kept until the next run or until it is cleared", async () => {
  let fails = true;
  const button = runHook(() =>
    useAction(async () => {
      if (fails) throw new Error("no");
    }),
  );
  await act(async () => void (await button.now().run()));
  expect(button.now().error?.message).toBe("no");
  act(() => button.now().clear());
  expect(button.now().error).toBeNull();
  fails = false;
  await act(async () => expect(await button.now().run()).toBe(true));
});
