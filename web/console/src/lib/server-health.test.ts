import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError, NetworkError } from "../api";
import { isOutage, whenReady } from "./server-health";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const apiError = (status: number) => new ApiError(status, "", "", [], "", null);

test("an outage is no refusal", () => {
  expect([new NetworkError(), apiError(502), apiError(503), apiError(504)].map(isOutage)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([apiError(500), apiError(404), new TypeError("fault of the page"), null].map(isOutage)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("the server is asked less and less often until it is ready, and then not again", async () => {
  const replies = [503, 503, 503, 503, 503, 503, 200];
  const asked: number[] = [];
  const start = Date.now();
  vi.stubGlobal("fetch", async () => {
    asked.push((Date.now() - start) / 1000);
    if (asked.length === 2) throw new TypeError("no connection");
    return new Response(null, { status: replies[asked.length - 1] ?? 500 });
  });
  const then = vi.fn();
  whenReady(then);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(asked).toEqual([1, 3, 7, 15, 30, 45, 60]);
  expect(then).toHaveBeenCalledOnce();
});

test("it can be stopped, also while the server is asked", async () => {
  const answers: ((reply: Response) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise<Response>((answer) => answers.push(answer)));
  const then = vi.fn();
  const stop = whenReady(then);
  await vi.advanceTimersByTimeAsync(1000);
  stop();
  answers[0]!(new Response());
  await vi.advanceTimersByTimeAsync(60_000);
  expect([answers.length, then.mock.calls.length]).toEqual([1, 0]);
});
