// Whether the server answers, for a page that waits until it does again.
import { ApiError, NetworkError } from "../api";

/** The server, or the way to it, is down; the request itself was fine. */
export function isOutage(error: unknown): boolean {
  return error instanceof NetworkError || (error instanceof ApiError && [502, 503, 504].includes(error.status));
}

const longestPauseMs = 15_000;

/** Calls `then` as soon as the server is ready: it is asked after `pauseMs`, and then less and less often. Returns how to stop. */
export function whenReady(then: () => void, pauseMs = 1000): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const end = new AbortController();
  const ask = (pause: number) => {
    timer = setTimeout(async () => {
      const ready = await fetch("/readyz", { signal: end.signal }).then(
        (reply) => reply.ok,
        () => false,
      );
      if (end.signal.aborted) return;
      if (ready) then();
      else ask(Math.min(2 * pause, longestPauseMs));
    }, pause);
  };
  ask(pauseMs);
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}
