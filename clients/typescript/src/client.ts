import { type ChangeEvent, type ChangesOptions, followChanges } from "./changes.js";
import { jsonOf } from "./errors.js";
import type { Arguments, Call, ItemOf, ListPath, Method, PathWith, Reply } from "./operations.js";
import { type ClientOptions, type RequestOptions, Transport } from "./transport.js";

/** A record together with the version to send with the next change. */
export interface Versioned<T> {
  record: T;
  etag: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

type Session = Reply<"/auth/local/login", "post">;

/**
 * Calls the API. Paths are those of the API's description, with their parameters in braces; the compiler knows the parameters,
 * bodies and answers. Throws ApiError when the server refuses, and NetworkError when it cannot be reached.
 */
export class GuildhallClient {
  private readonly transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.transport = new Transport(options);
  }

  /**
   * Signs in with username and password. A user with a second factor also needs `code`: without it, the server answers
   * with SECOND_FACTOR_REQUIRED. Outside a browser the client keeps the session cookie itself.
   */
  signIn(tenantId: string, username: string, password: string, code?: string): Promise<Session> {
    const body = { tenantId, username, password, ...(code ? { code } : {}) };
    return this.post("/auth/local/login", { body });
  }

  async get<P extends PathWith<"get">>(path: P, ...call: Arguments<Call<P, "get">>): Promise<Reply<P, "get">> {
    return (await this.call<Reply<P, "get">>("get", path, call)).record;
  }

  /** Like `get`, with the version of the record for `ifMatch`. */
  read<P extends PathWith<"get">>(path: P, ...call: Arguments<Call<P, "get">>): Promise<Versioned<Reply<P, "get">>> {
    return this.call("get", path, call);
  }

  async post<P extends PathWith<"post">>(path: P, ...call: Arguments<Call<P, "post">>): Promise<Reply<P, "post">> {
    return (await this.call<Reply<P, "post">>("post", path, call)).record;
  }

  async put<P extends PathWith<"put">>(path: P, ...call: Arguments<Call<P, "put">>): Promise<Reply<P, "put">> {
    return (await this.call<Reply<P, "put">>("put", path, call)).record;
  }

  /** Changes a record, and returns it with its new version. */
  patch<P extends PathWith<"patch">>(path: P, ...call: Arguments<Call<P, "patch">>): Promise<Versioned<Reply<P, "patch">>> {
    return this.call("patch", path, call);
  }

  async delete<P extends PathWith<"delete">>(path: P, ...call: Arguments<Call<P, "delete">>): Promise<Reply<P, "delete">> {
    return (await this.call<Reply<P, "delete">>("delete", path, call)).record;
  }

  /** Every record of a list, page after page, whichever way the list is divided into pages. */
  each<P extends ListPath>(path: P, ...call: Arguments<Call<P, "get">>): AsyncGenerator<ItemOf<P>> {
    const { params, ...options } = (call[0] ?? {}) as Parameterized;
    return this.eachOf<ItemOf<P>>(filled(path, params), options);
  }

  /** Like `each`, with a path that is complete. */
  async *eachOf<T>(path: string, options: RequestOptions = {}): AsyncGenerator<T> {
    let query = options.query ?? {};
    for (;;) {
      const { record } = await this.send<AnyPage<T>>("GET", path, { ...options, query });
      yield* record.items;
      const next = queryOfNextPage(record, query);
      if (next === null) return;
      query = { ...query, ...next };
    }
  }

  /** The tenant's changes as they are committed. Connects again by itself, without missing or repeating a change. */
  changes(options: ChangesOptions = {}): AsyncGenerator<ChangeEvent> {
    const connect = (lastEventId: string, signal: AbortSignal): Promise<Response> => {
      const position: Record<string, string> = lastEventId ? { "last-event-id": lastEventId } : {};
      return this.transport.connect("/api/admin/changes", { headers: { accept: "text/event-stream", ...position }, signal });
    };
    return followChanges(connect, options);
  }

  /** Sends a request with a path that is complete, for example because it was put together at run time. */
  send<T>(method: string, path: string, options: RequestOptions = {}): Promise<Versioned<T>> {
    return this.transport.send(method, path, options, async (response) => {
      return { record: (await jsonOf(response)) as T, etag: response.headers.get("etag") ?? "" };
    });
  }

  /** Like `send`, for what is not JSON: a report as CSV, a picture, a page. */
  fetch(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.transport.send(method, path, options, (response) => Promise.resolve(response));
  }

  private call<T>(method: Method, path: string, [call = {}]: [call?: unknown]): Promise<Versioned<T>> {
    const { params, ...options } = call as Parameterized;
    return this.send<T>(method.toUpperCase(), filled(path, params), options);
  }
}

type Parameterized = RequestOptions & { params?: Record<string, string> };

/** Replaces the parameters of a path by their values. */
function filled(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`The parameter ${name} of ${path} is missing.`);
    return encodeURIComponent(value);
  });
}

/** The pages of all lists: some have cursors, some are counted by pages, some by records, and some lists have one page only. */
interface AnyPage<T> {
  items: T[];
  nextCursor?: string | null;
  page?: number;
  pageSize?: number;
  total?: number;
}

function queryOfNextPage(page: AnyPage<unknown>, query: NonNullable<RequestOptions["query"]>): RequestOptions["query"] | null {
  if (page.items.length === 0 && !page.nextCursor) return null;
  if (page.nextCursor) {
    if (page.nextCursor === query["cursor"]) throw new Error("The list gives the same page again.");
    return { cursor: page.nextCursor };
  }
  if ("nextCursor" in page || page.total === undefined) return null;
  if (page.page !== undefined && page.pageSize !== undefined) {
    return page.page * page.pageSize < page.total ? { page: page.page + 1 } : null;
  }
  const offset = Number(query["offset"] ?? 0) + page.items.length;
  return offset < page.total ? { offset } : null;
}
