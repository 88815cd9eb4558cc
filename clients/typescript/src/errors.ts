/** One wrong field of a request, as the server names it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The server answered with a status of 400 or above, or with something that is not JSON. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    /** UPPER_SNAKE code of the failure, or an empty string where the contract gives none. */
    readonly code: string,
    message: string,
    readonly details: FieldProblem[],
    /** Quote it when you report a problem: the server's log has it. */
    readonly requestId: string,
    /** Seconds to wait before trying again; null when the server did not say. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

/** No answer arrived: the network is down, or the server closed the connection. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** The error in an answer with a status of 400 or above. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  const body = objectIn(text);
  const message = typeof body?.["error"] === "string" ? body["error"] : `The server answered with status ${response.status}${quoted(text)}.`;
  return apiError(response, message, body ?? {});
}

/** The JSON of a successful answer; undefined if it has no body. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    const type = response.headers.get("content-type")?.split(";", 1)[0] || "text";
    const isBroken = /[/+]json$/.test(type);
    throw apiError(response, `The server answered with ${isBroken ? "broken JSON" : `${type} instead of JSON`}${quoted(text)}. Is the address right?`, {});
  }
}

function apiError(response: Response, message: string, body: Record<string, unknown>): ApiError {
  return new ApiError(
    response.status,
    typeof body["code"] === "string" ? body["code"] : "",
    message,
    Array.isArray(body["details"]) ? (body["details"] as FieldProblem[]) : [],
    response.headers.get("x-request-id") ?? "",
    secondsToWait(response),
  );
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // a proxy may have answered with a page of its own
  }
}

/** The title of a page, or the beginning of a text, to be shown to a person. */
function quoted(text: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? text.slice(0, 2000).replace(/<(script|style)\b[^]*?<\/\1>|<[^>]*>/gi, " ");
  const words = title.replace(/\s+/g, " ").trim();
  return words === "" ? "" : `: “${words.length > 100 ? `${words.slice(0, 100)}…` : words}”`;
}

/**
 * How long the server asks us to wait. After too many requests RateLimit-Reset has the time that is left; Retry-After has the
 * length of the whole window, or is the only one that another server sends.
 */
function secondsToWait(response: Response): number | null {
  const reset = response.status === 429 ? seconds(response.headers.get("ratelimit-reset")) : null;
  if (reset !== null) return reset;
  const retryAfter = response.headers.get("retry-after");
  const until = retryAfter === null ? Number.NaN : Date.parse(retryAfter);
  return seconds(retryAfter) ?? (Number.isNaN(until) ? null : Math.max(0, (until - Date.now()) / 1000));
}

function seconds(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
