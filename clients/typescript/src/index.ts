export { GuildhallClient, newIdempotencyKey } from "./client.js";
export type { ClientOptions, Page, QueryValue, RequestOptions, Versioned } from "./client.js";
export type { Change, ChangeEvent, ChangesOptions } from "./changes.js";
export { ApiError, NetworkError } from "./errors.js";
export type { FieldProblem } from "./errors.js";
export { verifyWebhook } from "./webhooks.js";
export type { WebhookHeaders } from "./webhooks.js";
export type { components, operations, paths } from "./schema.js";
