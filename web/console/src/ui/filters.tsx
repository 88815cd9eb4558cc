// The filter bar of a list: a search, the most important filters beside it, the others in a panel. A page declares its
// filters; their values are in the address bar.
import {
  ActionIcon,
  Button,
  Drawer,
  Group,
  Indicator,
  MultiSelect,
  Pill,
  Select,
  Stack,
  TextInput,
} from "@mantine/core";
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconSearch } from "@tabler/icons-react";
import type { QueryValue } from "@guildhall/client";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { parseMoney } from "../lib/format";
import { instantOf, shopCurrency } from "../lib/shop";
import { useIsShown } from "../lib/idle";
import { t, textOr } from "../text";
import { RecordSelect, useNames, type RecordKind } from "./record-select";

export interface Choice {
  value: string;
  label: string;
}

export type Filter = { key: string; label: string; quick?: boolean } & (
  | { kind: "choice" | "choices"; data: Choice[] }
  | { kind: "from" | "to" | "money" | "text" }
  | { kind: "record"; of: RecordKind }
);

interface FilterBarProps {
  filters: Filter[];
  values: Record<string, string>;
  change: (changes: Record<string, string>) => void;
  /** The label of the search; without it there is none. */
  search?: string;
  sort?: Choice[];
  children?: ReactNode;
}

export function FilterBar({ filters, values, change, search, sort, children }: FilterBarProps) {
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const [open, setOpen] = useState(false);
  const ready = useIsShown();
  const inPanel = filters.filter((filter) => phone || !filter.quick);
  const active = inPanel.filter((filter) => values[filter.key]);
  const field = (filter: Filter) => (
    <FilterField
      key={filter.key}
      filter={filter}
      value={values[filter.key] ?? ""}
      onChange={(value) => change({ [filter.key]: value })}
    />
  );
  const sorting = sort && (
    <Select
      label={t("filter.sort")}
      w={{ base: "100%", xs: 180 }}
      allowDeselect={false}
      data={sort}
      value={values["sort"] || sort[0]!.value}
      onChange={(value) => change({ sort: value === sort[0]!.value ? "" : (value ?? "") })}
    />
  );
  return (
    <Stack gap="xs" mb="md">
      <Group gap="sm" align="flex-end" wrap={phone ? "nowrap" : "wrap"}>
        {search && (
          <SearchField
            label={search}
            value={values["search"] ?? ""}
            onChange={(text) => change({ search: text })}
            grow={phone}
          />
        )}
        {!phone &&
          filters
            .filter((filter) => filter.quick)
            .map((filter) => (
              <div key={filter.key} style={{ width: 170, minHeight: 57 }}>
                {ready && field(filter)}
              </div>
            ))}
        {!phone && sorting && <div style={{ width: 180, minHeight: 57 }}>{ready && sorting}</div>}
        {(inPanel.length > 0 || (phone && sort)) &&
          (phone && search ? (
            <Indicator disabled={active.length === 0} label={active.length} size={18}>
              <ActionIcon variant="default" size={36} aria-label={t("filter.open")} onClick={() => setOpen(true)}>
                <IconAdjustmentsHorizontal size={18} />
              </ActionIcon>
            </Indicator>
          ) : (
            <Button
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size={16} />}
              onClick={() => setOpen(true)}
            >
              {t("filter.open")}
            </Button>
          ))}
        {!phone && children}
      </Group>
      {phone && children}
      {active.length > 0 && (
        <Group gap="xs">
          {active.map((filter) => (
            <ActiveFilter
              key={filter.key}
              filter={filter}
              value={values[filter.key]!}
              remove={() => change({ [filter.key]: "" })}
            />
          ))}
        </Group>
      )}
      {ready && (
        <Drawer
          opened={open}
          onClose={() => setOpen(false)}
          title={t("filter.title")}
          position={phone ? "bottom" : "right"}
          size={phone ? "85%" : "sm"}
        >
          <Stack>
            {phone && sorting}
            {inPanel.map(field)}
            <Group justify="space-between">
              <Button
                variant="default"
                disabled={active.length === 0}
                onClick={() => change(Object.fromEntries(active.map((filter) => [filter.key, ""])))}
              >
                {t("list.clearFilters")}
              </Button>
              <Button onClick={() => setOpen(false)}>{t("filter.done")}</Button>
            </Group>
          </Stack>
        </Drawer>
      )}
    </Stack>
  );
}

function FilterField({
  filter,
  value,
  onChange,
}: {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
}) {
  const { label } = filter;
  switch (filter.kind) {
    case "choice":
      return (
        <Select
          label={label}
          placeholder={t("filter.any")}
          clearable
          data={filter.data}
          value={value || null}
          onChange={(chosen) => onChange(chosen ?? "")}
        />
      );
    case "choices":
      return (
        <MultiSelect
          label={label}
          placeholder={value === "" ? t("filter.any") : undefined}
          clearable
          data={filter.data}
          value={value === "" ? [] : value.split(",")}
          onChange={(chosen) => onChange(chosen.join(","))}
        />
      );
    case "record":
      return (
        <RecordSelect kind={filter.of} label={label} placeholder={t("filter.any")} value={value} onChange={onChange} />
      );
    case "from":
    case "to":
      return (
        <TextInput type="date" label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
      );
    default:
      return (
        <SettlingInput
          label={label}
          value={value}
          onChange={onChange}
          inputMode={filter.kind === "money" ? "decimal" : "text"}
        />
      );
  }
}

/** An input whose value counts a moment after the last key. */
function SettlingInput({
  value,
  onChange,
  ...input
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  inputMode?: "decimal" | "text";
  type?: string;
  leftSection?: ReactNode;
  w?: object;
  flex?: number;
}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const settle = useDebouncedCallback((next: string) => {
    sent.current = next;
    onChange(next);
  }, 250);
  // Somebody has cleared the filters, or has gone back in the history.
  useEffect(() => {
    if (value !== sent.current) setText((sent.current = value));
  }, [value]);
  return (
    <TextInput
      {...input}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value);
      }}
    />
  );
}

function SearchField({
  grow,
  ...input
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  grow: boolean;
}) {
  return (
    <SettlingInput
      type="search"
      leftSection={<IconSearch size={16} />}
      {...(grow ? { flex: 1 } : { w: { base: "100%", xs: 220 } })}
      {...input}
    />
  );
}

function ActiveFilter({ filter, value, remove }: { filter: Filter; value: string; remove: () => void }) {
  const [name] = useNames(filter.kind === "record" ? filter.of : "product", filter.kind === "record" ? [value] : []);
  const labelOf = (one: string) =>
    "data" in filter ? (filter.data.find((choice) => choice.value === one)?.label ?? one) : one;
  const text = filter.kind === "record" ? (name?.label ?? value) : value.split(",").map(labelOf).join(", ");
  return (
    <Pill
      withRemoveButton
      onRemove={remove}
      removeButtonProps={{ "aria-label": t("filter.remove", { name: filter.label }) }}
    >
      {filter.label}: {text}
    </Pill>
  );
}

/** The values as the server takes them: dates as times, amounts in minor units. */
export function queryOf(
  filters: Filter[],
  values: Record<string, string>,
  currency = shopCurrency(),
): Record<string, QueryValue> {
  const query: Record<string, QueryValue> = { search: values["search"] || null, sort: values["sort"] || null };
  for (const { key, kind } of filters) {
    const value = values[key];
    if (!value) continue;
    if (kind === "from") query[key] = instantOf(`${value}T00:00:00`);
    else if (kind === "to") query[key] = instantOf(`${value}T23:59:59.999`);
    else if (kind === "money") query[key] = parseMoney(value, currency);
    else query[key] = value;
  }
  return query;
}

/** The choices of a filter from the names of a catalogue of texts. */
export function choicesOf(kind: string, values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: textOr(`${kind}.${value}`, value) }));
}
