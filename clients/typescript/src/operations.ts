// The types of the client's calls, taken from the description of the API.
import type { paths } from "./schema.js";

export type Method = "get" | "post" | "put" | "patch" | "delete";

type OperationOf<P extends keyof paths, M extends Method> = paths[P][M];

type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : never;

/** The JSON of the successful answers; `void` if there is none; `never` if the answer is no JSON, such as a page or a picture. */
type ReplyIn<R> = [JsonOf<R[keyof R & (200 | 201)]>] extends [never]
  ? R extends { 202: unknown } | { 204: unknown }
    ? void
    : never
  : JsonOf<R[keyof R & (200 | 201)]>;

/** The answer of an operation: `Reply<"/api/data/order/{id}", "get">` is an order. */
export type Reply<P extends keyof paths, M extends Method> = OperationOf<P, M> extends { responses: infer R } ? ReplyIn<R> : never;

/** The paths that take the method and answer with JSON or with nothing. */
export type PathWith<M extends Method> = { [P in keyof paths]: [Reply<P, M>] extends [never] ? never : P }[keyof paths];

type BodyOf<C> = C extends { "application/json": infer J } ? J : Blob;

type Params<O> = O extends { parameters: { path: infer V } }
  ? { /** The values of the path's parameters; they are encoded. */ params: V }
  : { params?: never };

type Query<O> = O extends { parameters: { query: infer V } }
  ? { query: V }
  : O extends { parameters: { query?: infer V } }
    ? { query?: V }
    : { query?: never };

type Body<O> = O extends { requestBody: { content: infer C } }
  ? { body: BodyOf<C> }
  : O extends { requestBody?: infer B }
    ? OptionalBody<NonNullable<B>>
    : { body?: never };

type OptionalBody<B> = [B] extends [never] ? { body?: never } : B extends { content: infer C } ? { body?: BodyOf<C> } : { body?: never };

export interface CallOptions {
  /** The version that a change is based on: the server answers 412 when the record has changed since. */
  ifMatch?: string;
  /** Makes a write safe to repeat. A POST below /api without one gets a random key, so that a retry never acts twice. */
  idempotencyKey?: string;
  /** Ends the call at once, also while it waits for its next attempt: an AbortController's, or AbortSignal.timeout(5000). */
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** Everything that a call of an operation takes. */
export type Call<P extends keyof paths, M extends Method> = CallOptions &
  Params<OperationOf<P, M>> & Query<OperationOf<P, M>> & Body<OperationOf<P, M>>;

/** The call's options, which may be left out when none of them is required. */
export type Arguments<C> = {} extends C ? [call?: C] : [call: C];

/** The paths of lists. */
export type ListPath = {
  [P in PathWith<"get">]: Reply<P, "get"> extends { items: readonly unknown[] } ? P : never;
}[PathWith<"get">];

/** One record of a list. */
export type ItemOf<P extends ListPath> = Reply<P, "get"> extends { items: readonly (infer I)[] } ? I : never;
