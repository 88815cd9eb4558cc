import { QueryClient, QueryClientProvider, QueryObserver } from "@tanstack/react-query";
import { act, createElement } from "react";
import { expect, test } from "vitest";
import { hasDraft, useDraft } from "./drafts";
import { runHook } from "./hook-test";

const form = (queries: QueryClient, present: () => boolean) =>
  runHook(
    () => useDraft(present()),
    (content) => createElement(QueryClientProvider, { client: queries }, content),
  );

test("there is a draft until the last form has none", () => {
  const queries = new QueryClient();
  let typed = false;
  const first = form(queries, () => typed);
  expect(hasDraft()).toBe(false);
  typed = true;
  first.render();
  const second = form(queries, () => true);
  first.end();
  expect(hasDraft()).toBe(true);
  second.end();
  expect(hasDraft()).toBe(false);
});

test("a record that is being read again waits for the end of the draft", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const answers: ((value: string) => void)[] = [];
  const read = (key: string) =>
    new QueryObserver(queries, {
      queryKey: [key],
      queryFn: () => new Promise<string>((answer) => answers.push(answer)),
    });
  const record = read("record");
  const stop = record.subscribe(() => {});
  await act(async () => answers.shift()!("first"));
  void record.refetch();
  expect(answers).toHaveLength(1);

  const draft = form(queries, () => true);
  await act(async () => answers.shift()!("by somebody else"));
  expect(record.getCurrentResult().data).toBe("first");

  draft.end();
  await act(async () => answers.shift()!("second"));
  expect(record.getCurrentResult().data).toBe("second");
  stop();
});

test("what was never read is read during a draft", async () => {
  const queries = new QueryClient();
  let answer = (_: string) => {};
  const record = new QueryObserver(queries, {
    queryKey: ["new"],
    queryFn: () => new Promise<string>((done) => (answer = done)),
  });
  const stop = record.subscribe(() => {});
  const draft = form(queries, () => true);
  await act(async () => answer("first"));
  expect(record.getCurrentResult().data).toBe("first");
  draft.end();
  stop();
});
