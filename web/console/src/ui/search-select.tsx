// Selects in which people type to find an entry. What is typed replaces the chosen text, and Enter or Tab takes the highlighted entry:
// never the one that was chosen before, and Enter never sends the form instead.
import {
  MultiSelect,
  Select,
  type ComboboxItem,
  type MultiSelectProps,
  type OptionsFilter,
  type SelectProps,
} from "@mantine/core";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { t } from "../text";

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[_/·]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

/** Entries that begin with the text first, then those with a word that does, then those that contain it. */
const byLikeness: OptionsFilter = ({ options, search, limit }) => {
  const wanted = plain(search);
  const rank = (label: string) => {
    const text = plain(label);
    return text.startsWith(wanted) ? 0 : text.includes(` ${wanted}`) ? 1 : text.includes(wanted) ? 2 : 3;
  };
  const ranked = (options as ComboboxItem[])
    .map((option) => ({ option, at: rank(option.label) }))
    .filter(({ at }) => at < 3);
  return ranked
    .sort((one, other) => one.at - other.at)
    .slice(0, limit)
    .map(({ option }) => option);
};

const listOf = (input: HTMLInputElement) => document.getElementById(input.getAttribute("aria-controls") ?? "");
const highlighted = (input: HTMLInputElement) =>
  listOf(input)?.querySelector<HTMLElement>("[data-combobox-selected]") ?? null;

/** Chooses the highlighted entry of the open list, or the first one. */
function choose(input: HTMLInputElement): void {
  (highlighted(input) ?? listOf(input)?.querySelector<HTMLElement>("[data-combobox-option]"))?.click();
}

interface Searching {
  typed: boolean;
  /** The entries for the text have not arrived yet: none of the shown ones counts. */
  pending: boolean;
}

/** Enter that comes before the entries do counts as soon as they are there. */
function useKeys({ typed, pending }: Searching) {
  const waiting = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    const input = pending ? null : waiting.current;
    if (!pending) waiting.current = null;
    if (input && typed) choose(input);
  }, [pending, typed]);
  return (event: KeyboardEvent<HTMLInputElement>) => {
    waiting.current = null;
    if (!typed || event.nativeEvent.isComposing) return;
    if (event.key === "Tab" && !pending) choose(event.currentTarget);
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (pending) waiting.current = event.currentTarget;
    // The library itself takes an entry that is highlighted.
    else if (!highlighted(event.currentTarget)) choose(event.currentTarget);
  };
}

interface SearchProps {
  /** The server searches: these are the values that it has found for the text; null while it searches. */
  found?: string[] | null;
  search?: string;
  onSearch?: (text: string) => void;
}

const filterOf = (found: string[] | null | undefined): OptionsFilter =>
  found === undefined
    ? byLikeness
    : ({ options, search }) =>
        search === "" ? options : options.filter((option) => found?.includes((option as ComboboxItem).value));

const nothingFound = (pending: boolean) => t(pending ? "loading" : "search.nothing");

type SearchSelectProps = Omit<SelectProps, "searchable" | "searchValue" | "onSearchChange" | "filter" | "data"> &
  SearchProps & { data: (string | ComboboxItem)[] };

export function SearchSelect({ found, search: given, onSearch, data, value, ...input }: SearchSelectProps) {
  const [own, setOwn] = useState("");
  const search = given ?? own;
  const items = data.map((each) => (typeof each === "string" ? { value: each, label: each } : each));
  const chosen = items.find((each) => each.value === value)?.label ?? "";
  const typed = search !== "" && search !== chosen;
  const pending = typed && found === null;
  const field = useRef<HTMLInputElement>(null);
  const onKeyDown = useKeys({ typed, pending });
  return (
    <Select
      ref={field}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange={typed && !pending}
      filter={filterOf(pending ? null : found)}
      nothingFoundMessage={nothingFound(pending)}
      data={items}
      value={value ?? null}
      searchValue={search}
      onSearchChange={onSearch ?? setOwn}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.currentTarget.select()}
      onClick={(event) => !typed && event.currentTarget.select()}
      onOptionSubmit={() => requestAnimationFrame(() => field.current?.select())}
      {...input}
    />
  );
}

type SearchMultiSelectProps = Omit<
  MultiSelectProps,
  "searchable" | "searchValue" | "onSearchChange" | "filter" | "data"
> &
  SearchProps & { data: (string | ComboboxItem)[] };

export function SearchMultiSelect({ found, search: given, onSearch, ...input }: SearchMultiSelectProps) {
  const [own, setOwn] = useState("");
  const search = given ?? own;
  const typed = search !== "";
  const pending = typed && found === null;
  const onKeyDown = useKeys({ typed, pending });
  return (
    <MultiSelect
      searchable
      selectFirstOptionOnChange={typed && !pending}
      filter={filterOf(pending ? null : found)}
      nothingFoundMessage={nothingFound(pending)}
      searchValue={search}
      onSearchChange={onSearch ?? setOwn}
      onKeyDown={onKeyDown}
      {...input}
    />
  );
}
