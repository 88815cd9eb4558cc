// Choosing products, customers or discounts by name instead of by id. The server searches.
import { MultiSelect, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useState, type ReactNode } from "react";
import { api, type Customer, type Discount, type Product } from "../api";
import { t } from "../text";

const kinds = {
  product: { path: "/api/data/product", name: (product: Product) => `${product.name} · ${product.sku}` },
  customer: { path: "/api/data/customer", name: (customer: Customer) => `${customer.chatDisplayName} · ${customer.chatUsername}` },
  discount: { path: "/api/data/discount", name: (discount: Discount) => discount.code ?? t("discounts.noCode") },
};
export type RecordKind = keyof typeof kinds;
interface Choice {
  value: string;
  label: string;
}

/** The names of records by their ids. A deleted record is shown with its id. */
export function useNames(kind: RecordKind, ids: string[]): Choice[] {
  const { path, name } = kinds[kind];
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: [path, "name", id],
      queryFn: () => api.get<never>(`${path}/${encodeURIComponent(id)}`).then(name as (record: never) => string, () => id),
      staleTime: 60_000,
    })),
  });
  return ids.map((id, index) => ({ value: id, label: found[index]?.data ?? id }));
}

function useChoices(kind: RecordKind, chosen: string[]) {
  const { path, name } = kinds[kind];
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search.trim(), 200);
  const known = useNames(kind, chosen);
  // The label of a chosen record is in the field; it is not what the person searches for.
  const wanted = known.some((choice) => choice.label === settled) ? "" : settled;
  const found = useQuery({
    queryKey: [path, "choices", wanted],
    queryFn: ({ signal }) => api.get<Page<{ id: string }>>(path, { query: { search: wanted, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.items ?? []).filter((record) => !chosen.includes(record.id)).map((record) => ({ value: record.id, label: (name as (record: object) => string)(record) }));
  return { data: [...known, ...others], search, setSearch };
}

interface OneProps {
  kind: RecordKind;
  label: string;
  value: string;
  onChange: (id: string) => void;
  required?: boolean;
  placeholder?: string;
  description?: string;
  error?: ReactNode;
  "data-autofocus"?: boolean;
}

export function RecordSelect({ kind, value, onChange, ...input }: OneProps) {
  const { data, search, setSearch } = useChoices(kind, value ? [value] : []);
  // The list opens with a click or the first letter: a field that a dialog gives the focus to would cover the others with it.
  return <Select searchable clearable openOnFocus={false} filter={({ options }) => options} nothingFoundMessage={t("search.nothing")} data={data} value={value || null} searchValue={search} onSearchChange={setSearch} onChange={(id) => onChange(id ?? "")} {...input} />;
}

interface SeveralProps {
  kind: RecordKind;
  label: string;
  description?: string;
  value: string[];
  onChange: (ids: string[]) => void;
}

export function RecordsSelect({ kind, value, onChange, ...input }: SeveralProps) {
  const { data, search, setSearch } = useChoices(kind, value);
  return <MultiSelect searchable filter={({ options }) => options} hidePickedOptions nothingFoundMessage={t("search.nothing")} data={data} value={value} searchValue={search} onSearchChange={setSearch} onChange={onChange} {...input} />;
}
