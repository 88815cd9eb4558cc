/** How long a delivery may be under way before it counts as a replay of an old one. */
const toleranceSeconds = 300;

/** The headers of a delivery: those of a `Request`, or `request.headers` of Node.js. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** An event as it is delivered. docs/events.md lists the types and what `data` has. */
export interface WebhookMessage {
  type: string;
  timestamp: string;
  data: unknown;
}

/** The delivery is not from Guildhall, is too old, or cannot be verified; `message` says why. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/**
 * Verifies a delivery from Guildhall (Standard Webhooks) and returns its parsed body. Throws WebhookError, and nothing else, when
 * the signature does not fit or the delivery is older than five minutes. Pass the body as it arrived, not a parsed object.
 */
export async function verifyWebhook<T = WebhookMessage>(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  now: Date = new Date(),
): Promise<T> {
  try {
    return (await verified(body, headers, secret, now)) as T;
  } catch (failure) {
    if (failure instanceof WebhookError) throw failure;
    throw new WebhookError("The webhook cannot be verified.", { cause: failure });
  }
}

async function verified(body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string, now: Date): Promise<unknown> {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError("The webhook's timestamp is not a time of the last five minutes.");
  }
  const { subtle } = await webCrypto();
  const key = await subtle.importKey("raw", secretBytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of header(headers, "webhook-signature").split(" ")) {
    const value = signature.startsWith("v1,") ? bytesOfBase64(signature.slice(3)) : null;
    if (value !== null && (await subtle.verify("HMAC", key, value, signed))) return JSON.parse(text);
  }
  throw new WebhookError("The webhook's signature does not fit.");
}

function header(headers: WebhookHeaders, name: string): string {
  const all: Iterable<[string, string | string[] | undefined]> = headers instanceof Headers ? headers : Object.entries(headers ?? {});
  for (const [key, value] of all) {
    if (key.toLowerCase() === name && typeof value === "string" && value !== "") return value;
  }
  throw new WebhookError(`The webhook has no header ${name}.`);
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === "string" ? bytesOfBase64(secret.replace(/^whsec_/, "")) : null;
  if (bytes === null || bytes.length === 0) throw new WebhookError("The secret is not one of a webhook endpoint.");
  return bytes;
}

/** Null if the text is not base64. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Node.js 18 has no global `crypto`. The name is no literal, so that bundlers for browsers do not look for the module. */
async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto?.subtle) return globalThis.crypto;
  const name = "node:crypto";
  return ((await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as { webcrypto: Crypto }).webcrypto;
}
