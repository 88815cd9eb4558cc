import { type ChangeEvent, type ChangesOptions, followChanges } from "./changes.js";
import { ApiError, errorOf, NetworkError } from "./errors.js";

export type QueryValue = string | number | boolean | null | undefined;

export interface ClientOptions {
  /** Where the server is, for example `https://shop.example.com`. Empty in a page that the server itself delivers. */
  baseUrl?: string;
  /** How often a request that is safe to repeat is tried again after a network failure, a 429 or a 503. Default 2. */
  retries?: number;
  fetch?: typeof fetch;
  /** Called whenever the server answers 401: there is no session, or it has ended. */
  onUnauthenticated?: () => void;
}

export interface RequestOptions {
  query?: Record<string, QueryValue>;
  /** Sent as JSON; a Blob is sent as it is, with its type. */
  body?: unknown;
  /** The version that a change is based on: the server answers 412 when the record has changed since. */
  ifMatch?: string;
  /** Makes a write safe to repeat. A POST without one gets a random key, so that a retry never acts twice. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** A record together with the version to send with the next change. */
export interface Versioned<T> {
  record: T;
  etag: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Calls the API: adds idempotency keys, retries what is safe to repeat, and throws ApiError or NetworkError. */
export class GuildhallClient {
  private readonly baseUrl: string;
  private readonly retries: number;
  private readonly fetch: typeof fetch;
  private readonly onUnauthenticated: () => void;
  private cookie = "";

  constructor(options: ClientOptions = {}) {
    this.baseUrl = (options.baseUrl ?? "").replace(/\/+$/, "");
    this.retries = options.retries ?? 2;
    this.onUnauthenticated = options.onUnauthenticated ?? (() => {});
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /**
   * Signs in with username and password. A user with a second factor also needs `code`: without it, the server answers
   * with SECOND_FACTOR_REQUIRED. Outside a browser the client keeps the session cookie itself.
   */
  async signIn(tenantId: string, username: string, password: string, code?: string): Promise<unknown> {
    return this.post("/auth/local/login", { tenantId, username, password, ...(code ? { code } : {}) });
  }

  async get<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.send<T>("GET", path, options)).record;
  }

  async read<T>(path: string): Promise<Versioned<T>> {
    return this.send<T>("GET", path, {});
  }

  async post<T>(path: string, body: unknown = {}, options: RequestOptions = {}): Promise<T> {
    return (await this.send<T>("POST", path, { ...options, body })).record;
  }

  async put<T>(path: string, body: unknown, options: RequestOptions = {}): Promise<T> {
    return (await this.send<T>("PUT", path, { ...options, body })).record;
  }

  async patch<T>(path: string, body: unknown, options: RequestOptions = {}): Promise<Versioned<T>> {
    return this.send<T>("PATCH", path, { ...options, body });
  }

  async delete(path: string, options: RequestOptions = {}): Promise<void> {
    await this.send<unknown>("DELETE", path, options);
  }

  /** Every record of a list, page after page. */
  async *each<T>(path: string, query: Record<string, QueryValue> = {}): AsyncGenerator<T> {
    let cursor: string | null = null;
    do {
      const page: Page<T> = await this.get<Page<T>>(path, { query: { limit: 200, ...query, cursor } });
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The tenant's changes as they are committed. Connects again by itself, without missing or repeating a change. */
  changes(options: ChangesOptions = {}): AsyncGenerator<ChangeEvent> {
    const connect = (lastEventId: string, signal: AbortSignal): Promise<Response> => {
      const headers: Record<string, string> = { accept: "text/event-stream", prefer: "handling=strict" };
      if (this.cookie) headers["cookie"] = this.cookie;
      if (lastEventId) headers["last-event-id"] = lastEventId;
      return this.fetch(`${this.baseUrl}/api/admin/changes`, { headers, credentials: "same-origin", signal });
    };
    return followChanges(connect, options);
  }

  private async send<T>(method: string, path: string, options: RequestOptions): Promise<Versioned<T>> {
    const headers: Record<string, string> = { accept: "application/json", prefer: "handling=strict" };
    if (this.cookie) headers["cookie"] = this.cookie;
    if (options.ifMatch) headers["if-match"] = options.ifMatch;
    const key = options.idempotencyKey ?? (method === "POST" && path.startsWith("/api/") ? newIdempotencyKey() : "");
    if (key) headers["idempotency-key"] = key;
    const init: RequestInit = { method, headers, credentials: "same-origin" };
    if (options.signal) init.signal = options.signal;
    if (options.body instanceof Blob) {  // a picture
      headers["content-type"] = options.body.type;
      init.body = options.body;
    } else if (options.body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(options.body);
    }
    const response = await this.sendWithRetries(this.baseUrl + path + queryText(options.query), init);
    this.keepCookie(response);
    const record = response.status === 204 ? (undefined as T) : ((await response.json()) as T);
    return { record, etag: response.headers.get("etag") ?? "" };
  }

  private async sendWithRetries(url: string, init: RequestInit): Promise<Response> {
    const headers = init.headers as Record<string, string>;
    const repeatable = init.method === "GET" || "idempotency-key" in headers;
    for (let attempt = 0; ; ++attempt) {
      const last = !repeatable || attempt >= this.retries;
      let failure: ApiError | NetworkError;
      try {
        const response = await this.fetch(url, init);
        if (response.ok) return response;
        failure = await errorOf(response);
        if (failure.status === 401) this.onUnauthenticated();
        if (last || (failure.status !== 503 && failure.status !== 429)) throw failure;
      } catch (thrown) {
        if (thrown instanceof ApiError || (thrown as Error).name === "AbortError") throw thrown;
        failure = new NetworkError("The server cannot be reached.", { cause: thrown });
        if (last) throw failure;
      }
      const asked = failure instanceof ApiError ? failure.retryAfterSeconds : null;
      await pause(Math.min(asked !== null ? asked * 1000 : 250 * 2 ** attempt, 10_000));
    }
  }

  /** Browsers keep cookies themselves and never show them to a page. */
  private keepCookie(response: Response): void {
    const set = response.headers.get("set-cookie");
    if (set) this.cookie = set.split(";", 1)[0] ?? "";
  }
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
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
