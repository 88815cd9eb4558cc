// Finds a customer by name instead of by id.
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Page } from "@guildhall/client";
import { api, type Customer } from "../api";
import { t } from "../text";

export function CustomerPicker({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 200);
  const found = useQuery({
    queryKey: ["/api/data/customer", "picker", settled],
    queryFn: ({ signal }) => api.get<Page<Customer>>("/api/data/customer", { query: { limit: 20, search: settled }, signal }),
    placeholderData: keepPreviousData,
  });
  const options = found.data?.items.map((customer) => ({ value: customer.id, label: `${customer.chatDisplayName} (${customer.chatUsername})` })) ?? [];
  return (
    <Select
      label={t("fund.customer")}
      placeholder={t("fund.customerSearch")}
      required
      searchable
      data-autofocus
      data={options}
      filter={({ options: all }) => all}
      nothingFoundMessage={t("search.nothing")}
      value={value || null}
      onChange={(id) => onChange(id ?? "")}
      onSearchChange={setSearch}
    />
  );
}
