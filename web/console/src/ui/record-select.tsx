// Choosing products, customers or discounts by name instead of by id. The server searches.
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useState, type ReactNode } from "react";
import { api, type Customer, type Discount, type Product } from "../api";
import { t } from "../text";
import { SearchMultiSelect, SearchSelect } from "./search-select";

const kinds = {
  product: { path: "/api/data/product", name: (product: Product) => `${product.name} · ${product.sku}` },
  membership: {
    path: "/api/data/product",
    query: { isMembership: true },
    name: (product: Product) => `${product.name} · ${product.sku}`,
  },
  customer: {
    path: "/api/data/customer",
    name: (customer: Customer) => `${customer.chatDisplayName} · ${customer.chatUsername}`,
  },
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
      queryFn: () =>
        api.get<never>(`${path}/${encodeURIComponent(id)}`).then(name as (record: never) => string, () => id),
      staleTime: 60_000,
    })),
  });
  return ids.map((id, index) => ({ value: id, label: found[index]?.data ?? id }));
}

function useChoices(kind: RecordKind, chosen: string[]) {
  const { path, name } = kinds[kind];
  const only = kind === "membership" ? kinds.membership.query : {};
  const [search, onSearch] = useState("");
  const [settled] = useDebouncedValue(search.trim(), 200);
  const known = useNames(kind, chosen);
  // The label of a chosen record is in the field; it is not what the person searches for.
  const wanted = known.some((choice) => choice.label === settled) ? "" : settled;
  const answer = useQuery({
    queryKey: [path, "choices", only, wanted],
    queryFn: ({ signal }) =>
      api.get<Page<{ id: string }>>(path, { query: { ...only, search: wanted, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
  });
  const listed = (answer.data?.items ?? []).map((record) => ({
    value: record.id,
    label: (name as (record: object) => string)(record),
  }));
  const current = search.trim() === settled && answer.data !== undefined && !answer.isPlaceholderData;
  const data = [...known, ...listed.filter((choice) => !chosen.includes(choice.value))];
  return { data, search, onSearch, found: current || answer.error ? listed.map((choice) => choice.value) : null };
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
  const choices = useChoices(kind, value ? [value] : []);
  // The list opens with a click or the first letter: a field that a dialog gives the focus to would cover the others with it.
  return (
    <SearchSelect
      clearable
      openOnFocus={false}
      {...choices}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
      {...input}
    />
  );
}

interface SeveralProps {
  kind: RecordKind;
  label: string;
  description?: string;
  value: string[];
  onChange: (ids: string[]) => void;
}

export function RecordsSelect({ kind, value, onChange, ...input }: SeveralProps) {
  const choices = useChoices(kind, value);
  return <SearchMultiSelect hidePickedOptions {...choices} value={value} onChange={onChange} {...input} />;
}
