/** One wrong field of a request, as the server names it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** The server answered with a status of 400 or above. */
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

export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("x-request-id") ?? "";
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  let body: { error?: unknown; code?: unknown; details?: unknown } = {};
  try {
    body = (await response.json()) as typeof body;
  } catch {
    // A proxy may have answered with a page of its own.
  }
  return new ApiError(
    response.status,
    typeof body.code === "string" ? body.code : "",
    typeof body.error === "string" ? body.error : `The server answered with status ${response.status}.`,
    Array.isArray(body.details) ? (body.details as FieldProblem[]) : [],
    requestId,
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}
