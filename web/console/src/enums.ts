// The values of the API's enums. They come from clients/openapi.json, as the types do.
import type { components, paths } from "@guildhall/client";
import values from "virtual:api-enums";

/** The members of a record that have an enum. */
type EnumsOf<Record> = {
  [Key in keyof Record]-?: string extends Record[Key] ? never : NonNullable<Record[Key]> extends string ? Key : never;
}[keyof Record] &
  string;
type Schemas = components["schemas"];
type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;
type Value<Parameter> = NonNullable<Parameter> extends readonly (infer Each)[] ? Each : NonNullable<Parameter>;
export type FilterValue<Path extends keyof paths, Key extends keyof QueryOf<Path>> = Value<QueryOf<Path>[Key]>;

/** The values of a member of a record: `valuesOf("Order", "status")`. */
export function valuesOf<Schema extends keyof Schemas, Key extends EnumsOf<Schemas[Schema]>>(schema: Schema, key: Key) {
  return values[`${schema}.${key}`] as NonNullable<Schemas[Schema][Key]>[];
}

/** The values that a list can be filtered by: `filterValues("/api/data/order", "paymentMethod")`. */
export function filterValues<Path extends keyof paths, Key extends keyof QueryOf<Path> & string>(path: Path, key: Key) {
  return values[`${path}?${key}`] as FilterValue<Path, Key>[];
}
