// The parts of /openapi.json that the reference shows.
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  description?: string;
  examples?: unknown[];
  "x-error-codes"?: Record<string, { status: number; description: string }>;
}

export interface Parameter { $ref?: string; name: string; in: string; required?: boolean; description?: string; schema: Schema; example?: unknown }
export interface Media { schema: Schema; example?: unknown }
export interface Reply { $ref?: string; description: string; headers?: Record<string, { $ref?: string; description?: string; example?: unknown }>; content?: Record<string, Media> }
export interface CodeSample { lang: string; label: string; source: string }

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Reply>;
  "x-access": string;
  "x-codeSamples"?: CodeSample[];
}

export interface OpenApi {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter>; headers: Record<string, { description: string; example?: unknown }>; responses: Record<string, Reply> };
}

export interface Api {
  document: OpenApi;
  operations: Operation[];
  byId: Map<string, Operation>;
}

function resolved<T extends { $ref?: string }>(document: OpenApi, value: T): T {
  if (!value.$ref) return value;
  let found: unknown = document;
  for (const part of value.$ref.replace("#/", "").split("/")) found = (found as Record<string, unknown>)[part];
  return found as T;
}

export async function loadApi(): Promise<Api> {
  const reply = await fetch("/openapi.json");
  if (!reply.ok) throw new Error(`The server answered ${reply.status} to /openapi.json.`);
  const document = (await reply.json()) as OpenApi;
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
      const responses = Object.fromEntries(Object.entries(operation.responses).map(([status, each]) => [status, resolved(document, each)]));
      operations.push({ ...operation, method: method.toUpperCase(), path, parameters, responses });
    }
  }
  const order = document.tags.map(({ name }) => name);
  operations.sort((a, b) => order.indexOf(a.tags[0] ?? "") - order.indexOf(b.tags[0] ?? ""));
  return { document, operations, byId: new Map(operations.map((operation) => [operation.operationId, operation])) };
}

export const typeName = (schema: Schema | undefined) => schema?.$ref?.split("/").at(-1) ?? "";

/** The schema without `null`, and whether null is allowed. */
export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const options = schema.anyOf?.filter((option) => option.type !== "null");
  if (!options || options.length !== 1) return { schema, nullable: false };
  return { schema: { ...options[0], description: schema.description, examples: schema.examples }, nullable: true };
}
