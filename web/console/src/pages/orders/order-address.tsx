// The shipping address in a form of an order. The fields of the form are called `to_city` and so on.
import { Paper, Stack, TextInput, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { addressFields as fields } from "../../lib/address";
import { t } from "../../text";

type Field = (typeof fields)[number];
export type AddressValues = Record<`to_${Field}`, string>;
export const addressKeys = fields.map((field) => `to_${field}` as const);

/** The values of the form for an address of a record. */
export function addressValues(address: object | null | undefined): AddressValues {
  const from = (address ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    fields.map((field) => [`to_${field}`, typeof from[field] === "string" ? from[field] : ""]),
  ) as AddressValues;
}

/** The address that was entered; `before`: keeps what the form does not have. Null if all of it is empty. */
export function addressOf(
  values: AddressValues,
  before: object | null | undefined = null,
): Record<string, unknown> | null {
  const entered = fields.flatMap((field) => (values[`to_${field}`] ? [[field, values[`to_${field}`]] as const] : []));
  const others = Object.entries(before ?? {}).filter(([key]) => !fields.some((field) => field === key));
  return entered.length === 0 ? null : Object.fromEntries([...others, ...entered]);
}

export function AddressFields({ inputProps }: { inputProps: (field: keyof AddressValues) => object }): ReactNode {
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("order.address")}
      </Title>
      <Stack>
        {fields.map((field) => (
          <TextInput key={field} label={t(`addresses.${field}`)} {...inputProps(`to_${field}`)} />
        ))}
      </Stack>
    </Paper>
  );
}
