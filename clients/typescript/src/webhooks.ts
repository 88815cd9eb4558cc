/** How long a delivery may be under way before it counts as a replay of an old one. */
const toleranceSeconds = 300;

export interface WebhookHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/**
 * Verifies a delivery from Guildhall (Standard Webhooks) and returns its parsed body. Throws when the signature does
 * not fit or the delivery is older than five minutes. Pass the raw bytes of the body as text, not a parsed object.
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  secret: string,
  now: Date = new Date(),
): Promise<unknown> {
  const age = Math.abs(now.getTime() / 1000 - Number(headers["webhook-timestamp"]));
  if (!(age <= toleranceSeconds)) throw new Error("The webhook's timestamp is missing or too far away.");
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOfBase64(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const signed = new TextEncoder().encode(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  for (const signature of headers["webhook-signature"].split(" ")) {
    const [version, value] = signature.split(",", 2);
    if (version !== "v1" || !value) continue;
    if (await crypto.subtle.verify("HMAC", key, bytesOfBase64(value), signed)) return JSON.parse(body);
  }
  throw new Error("The webhook's signature does not fit.");
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
