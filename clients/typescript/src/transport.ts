import { ApiError, errorOf, NetworkError } from "./errors.js";
import type { CallOptions } from "./operations.js";

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

export interface ClientOptions {
  /** Where the server is, for example `https://shop.example.com`. Empty in a page that the server itself delivers. */
  baseUrl?: string;
  /** An API token. Without one, sign in with `signIn`. */
  token?: string;
  /** How often a call that is safe to repeat is tried again after a network failure, a 429 or a 503. Default 2. */
  retries?: number;
  /** The longest wait that the server may ask for before the next attempt. Otherwise the call fails at once. Default 60,000. */
  maxWaitMs?: number;
  fetch?: typeof fetch;
  /** Called whenever the server answers 401: there is no session, or it has ended. */
  onUnauthenticated?: () => void;
}

/** A request as it is sent. The path is complete: it has no parameters in braces any more. */
export interface RequestOptions extends CallOptions {
  query?: Record<string, QueryValue>;
  /** Sent as JSON; a Blob is sent as it is, with its type. */
  body?: unknown;
}

interface Init extends Omit<RequestInit, "headers"> {
  headers: Record<string, string>;
}

/** Sends requests: with the token or the session, with idempotency keys, and again where that is safe. */
export class Transport {
  private readonly baseUrl: string;
  private readonly retries: number;
  private readonly maxWaitMs: number;
  private readonly token: string;
  private readonly fetch: typeof fetch;
  private readonly onUnauthenticated: () => void;
  private cookie = "";

  constructor(options: ClientOptions) {
    this.baseUrl = (options.baseUrl ?? "").replace(/\/+$/, "");
    this.retries = options.retries ?? 2;
    this.maxWaitMs = options.maxWaitMs ?? 60_000;
    this.token = options.token ?? "";
    this.onUnauthenticated = options.onUnauthenticated ?? (() => {});
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** One attempt, whatever it is answered with. */
  connect(path: string, init: Init): Promise<Response> {
    const headers: Record<string, string> = { prefer: "handling=strict", ...init.headers };
    if (this.token) headers["authorization"] = `Bearer ${this.token}`;
    else if (this.cookie) headers["cookie"] = this.cookie;
    return this.fetch(this.baseUrl + path, { ...init, headers, credentials: this.token ? "omit" : "same-origin" });
  }

  /** Sends the request until it succeeds, and returns what `read` makes of the answer. Throws ApiError or NetworkError. */
  async send<T>(method: string, path: string, options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const { init, isRepeatable } = requestOf(method, path, options);
    const address = path + queryText(options.query);
    for (let attempt = 0; ; ++attempt) {
      let failure: ApiError | NetworkError;
      try {
        options.signal?.throwIfAborted();
        return await read(await this.answer(address, init));
      } catch (thrown) {
        if (options.signal?.aborted) throw options.signal.reason;
        failure = thrown instanceof ApiError ? thrown : new NetworkError("The server cannot be reached.", { cause: thrown });
      }
      const waitMs = this.waitBefore(attempt, failure, isRepeatable);
      if (waitMs === null) throw failure;
      await pause(waitMs, options.signal);
    }
  }

  private async answer(address: string, init: Init): Promise<Response> {
    const response = await this.connect(address, init);
    this.keepCookie(response);
    if (response.ok) return response;
    if (response.status === 401) this.onUnauthenticated();
    throw await errorOf(response);
  }

  /** How long to wait before the next attempt; null if there is to be none. After a 429 nothing has been done. */
  private waitBefore(attempt: number, failure: ApiError | NetworkError, isRepeatable: boolean): number | null {
    const status = failure instanceof ApiError ? failure.status : 503;
    if (attempt >= this.retries || !(status === 429 || (status === 503 && isRepeatable))) return null;
    const asked = failure instanceof ApiError ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
    return asked > this.maxWaitMs ? null : Math.max(asked, 250 * 2 ** attempt);
  }

  /** Browsers keep cookies themselves and never show them to a page. */
  private keepCookie(response: Response): void {
    const set = /(?:^|,\s*)(service_auth=[^;,]*)/.exec(response.headers.get("set-cookie") ?? "")?.[1];
    if (set !== undefined) this.cookie = set === "service_auth=" ? "" : set;
  }
}

function requestOf(method: string, path: string, options: RequestOptions) {
  const headers: Record<string, string> = { accept: "application/json", ...options.headers };
  if (options.ifMatch) headers["if-match"] = options.ifMatch;
  const key = options.idempotencyKey ?? (method === "POST" && path.startsWith("/api/") ? newIdempotencyKey() : "");
  if (key) headers["idempotency-key"] = key;
  const init: Init = { method, headers };
  if (options.signal) init.signal = options.signal;
  if (options.body instanceof Blob) {
    headers["content-type"] = options.body.type;
    init.body = options.body;
  } else if (options.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  return { init, isRepeatable: method === "GET" || key !== "" };
}

/** A new key for one POST. Keys must differ, but need not be secret, so that any source of randomness will do. */
export function newIdempotencyKey(): string {
  const bytes = new Uint8Array(16);
  // Missing in Node.js 18.
  if (globalThis.crypto?.getRandomValues) globalThis.crypto.getRandomValues(bytes);
  else bytes.forEach((_, index) => (bytes[index] = Math.floor(Math.random() * 256)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function queryText(query: Record<string, QueryValue> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value)); // a list is joined with commas
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** Waits, unless the signal ends the call: then it throws the signal's reason at once. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
