import { ApiError, errorOf } from "./errors.js";

/** A committed change of one record. */
export interface Change {
  /** The kind of record: `order`, `customer`, `product` … */
  entity: string;
  id: string;
  /** `created`, `updated`, `deleted`, or an action of that kind of record. */
  action: string;
  /** The record's version after the change, which is also its ETag; null if it has none. */
  version: number | null;
  at: string;
  actor: { kind: "USER" | "TOKEN" | "CHAT" | "PROVIDER" | "SYSTEM"; id: string };
}

export type ChangeEvent =
  | { type: "change"; /** Continue after it with `lastEventId`. */ id: string; change: Change }
  /** Changes have been missed: read again everything that you show. Later changes follow. */
  | { type: "reload"; id: string };

export interface ChangesOptions {
  /** The id of the last event of an earlier call: the changes since then come first. */
  lastEventId?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called when a connection is open, and when it is lost. */
  onConnection?: (isOpen: boolean) => void;
  /** A connection on which nothing arrives for this long is replaced. Default 45,000: three heartbeats. */
  silenceMs?: number;
}

const longestPauseMs = 30_000;

/**
 * The events of a stream, over as many connections as it takes. `connect` opens one. Throws ApiError when the server
 * refuses, for example because the session has ended.
 */
export async function* followChanges(
  connect: (lastEventId: string, signal: AbortSignal) => Promise<Response>,
  options: ChangesOptions,
): AsyncGenerator<ChangeEvent> {
  const state = { lastEventId: options.lastEventId ?? "", retryMs: 2000 };
  for (let failures = 0; !options.signal?.aborted; ++failures) {
    let pauseMs = Math.min(state.retryMs * 2 ** Math.min(failures, 10), longestPauseMs) * (0.5 + Math.random() / 2);
    const connection = new AbortController();
    const abort = () => connection.abort();
    options.signal?.addEventListener("abort", abort);
    const silence = watchSilence(options.silenceMs ?? 45_000, abort);
    try {
      const response = await connect(state.lastEventId, connection.signal);
      if (!response.ok) throw await errorOf(response);
      options.onConnection?.(true);
      for await (const event of eventsOf(response, state, silence.reset)) {
        failures = -1;
        yield event;
      }
    } catch (failure) {
      if (failure instanceof ApiError && failure.status !== 429 && failure.status < 500) throw failure;
      if (failure instanceof ApiError && failure.retryAfterSeconds !== null) pauseMs = failure.retryAfterSeconds * 1000;
    } finally {
      silence.stop();
      options.onConnection?.(false);
      options.signal?.removeEventListener("abort", abort);
      connection.abort();
    }
    await pauseUnlessAborted(pauseMs, options.signal);
  }
}

/** The events of one connection. Keeps the position and the server's retry time in `state`. */
async function* eventsOf(
  response: Response,
  state: { lastEventId: string; retryMs: number },
  received: () => void,
): AsyncGenerator<ChangeEvent> {
  let type = "";
  let data = "";
  for await (const line of linesOf(response, received)) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "id") state.lastEventId = value;
    else if (field === "event") type = value;
    else if (field === "data") data += value;
    else if (field === "retry") state.retryMs = Number(value) || state.retryMs;
    else if (line === "") {
      if (type === "change") yield { type, id: state.lastEventId, change: JSON.parse(data) as Change };
      if (type === "reload") yield { type, id: state.lastEventId };
      type = data = "";
    }
  }
}

async function* linesOf(response: Response, received: () => void): AsyncGenerator<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    received();
    text += decoder.decode(part.value, { stream: true });
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

function watchSilence(timeMs: number, expired: () => void): { reset: () => void; stop: () => void } {
  let timer = setTimeout(expired, timeMs);
  return {
    reset: () => {
      clearTimeout(timer);
      timer = setTimeout(expired, timeMs);
    },
    stop: () => clearTimeout(timer),
  };
}

function pauseUnlessAborted(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeMs);
    signal?.addEventListener("abort", done);
  });
}
