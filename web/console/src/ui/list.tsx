// A list page: a table from tablet size up, cards on a phone, one primary action, filters in the address bar.
import { Button, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Page, QueryValue } from "@guildhall/client";
import { memo, useEffect, useRef, type ReactNode } from "react";
import { Link } from "wouter";
import { api } from "../api";
import { count } from "../lib/format";
import { contentShown } from "../lib/idle";
import { t } from "../text";
import { Empty, ErrorNotice } from "./basics";
import { rowEvents } from "./row-open";

export interface Column<T> {
  title: string;
  cell: (record: T) => ReactNode;
  numeric?: boolean;
  /** On a phone only the columns marked so are shown, beside the first one. */
  phone?: boolean;
  /** On a phone it has a line of its own. */
  line?: boolean;
}

export interface ListProps<T> {
  columns: Column<T>[];
  items: T[] | undefined;
  keyOf: (record: T) => string;
  hrefOf?: (record: T) => string;
  error: Error | null;
  retry: () => void;
  empty: ReactNode;
  footer?: ReactNode;
  label: string;
  selection?: Selection<T>;
  /** Differs when a record has changed. A row that changes while it is shown is tinted for a moment. */
  versionOf?: (record: T) => string;
  /** The items are those of another query, whose successor is on its way: they are shown without colours. */
  stale?: boolean;
}

/** Rows that a person has ticked. */
export interface Selection<T> {
  has: (record: T) => boolean;
  toggle: (records: T[], selected: boolean) => void;
  nameOf: (record: T) => string;
}

export function List<T>(props: ListProps<T>) {
  useEffect(() => {
    if (props.items) contentShown();
  }, [props.items]);
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  if (props.error && !props.items) return <ErrorNotice error={props.error} retry={props.retry} />;
  if (props.items?.length === 0) return <Paper>{props.empty}</Paper>;
  return (
    <Stack gap="sm">
      <div className={props.stale ? "stale-rows" : undefined} aria-busy={props.stale || undefined}>
        {phone ? <Cards {...props} /> : <Rows {...props} />}
      </div>
      {props.footer}
    </Stack>
  );
}

const tintMs = 2000;

/** The keys of the records that have changed a moment ago, while they were shown. */
function useChanged<T>({ items, keyOf, versionOf }: Pick<ListProps<T>, "items" | "keyOf" | "versionOf">): Set<string> {
  const seen = useRef(new Map<string, { version: string; changedAt: number }>());
  if (!versionOf || !items) return new Set();
  const now = Date.now();
  const next = new Map(
    items.map((record) => {
      const version = versionOf(record);
      const before = seen.current.get(keyOf(record));
      return [
        keyOf(record),
        { version, changedAt: before && before.version !== version ? now : (before?.changedAt ?? 0) },
      ];
    }),
  );
  seen.current = next;
  return new Set([...next].filter(([, { changedAt }]) => now - changedAt < tintMs).map(([key]) => key));
}

interface TickProps {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  onChange: (checked: boolean) => void;
}

/** The browser's own checkbox: a list has one in every row, and the library's takes a thousand times as long to make. */
function Tick({ label, checked, indeterminate = false, onChange }: TickProps) {
  const ref = (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = indeterminate;
  };
  return (
    <input
      ref={ref}
      type="checkbox"
      className="tick"
      aria-label={label}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function SelectAll<T>({ items, selection }: { items: T[] | undefined; selection: Selection<T> }) {
  const chosen = items?.filter(selection.has).length ?? 0;
  const all = chosen > 0 && chosen === items?.length;
  return (
    <Tick
      label={t("list.selectAll")}
      checked={all}
      indeterminate={chosen > 0 && !all}
      onChange={() => selection.toggle(items ?? [], !all)}
    />
  );
}

function SelectOne<T>({ record, selection, selected }: { record: T; selection: Selection<T>; selected: boolean }) {
  return (
    <Tick
      label={t("list.selectOne", { name: selection.nameOf(record) })}
      checked={selected}
      onChange={(checked) => selection.toggle([record], checked)}
    />
  );
}

interface RowProps<T> {
  record: T;
  columns: Column<T>[];
  hrefOf: ((record: T) => string) | undefined;
  selection: Selection<T> | undefined;
  selected: boolean;
  changed: boolean;
}

/** A text takes at most three lines; the page of the record shows all of it. */
function cellOf<T>(column: Column<T>, record: T): ReactNode {
  const content = column.cell(record);
  return typeof content === "string" ? <span className="clamp">{content}</span> : content;
}

/** Rows and cells are plain elements, since a list has hundreds of them. A row is rendered again only if its record is new. */
const Row = memo(
  function Row<T>({ record, columns, hrefOf, selection, selected, changed }: RowProps<T>) {
    return (
      <tr
        data-row={hrefOf ? "" : undefined}
        className={changed ? "changed" : undefined}
        data-selected={selected || undefined}
      >
        {selection && (
          <td>
            <SelectOne record={record} selection={selection} selected={selected} />
          </td>
        )}
        {columns.map((column, index) => (
          <td key={column.title} className={column.numeric ? "numeric" : undefined}>
            {index === 0 && hrefOf ? (
              <Link href={hrefOf(record)} className="row-link">
                {cellOf(column, record)}
              </Link>
            ) : (
              cellOf(column, record)
            )}
          </td>
        ))}
      </tr>
    );
  },
  (before, after) =>
    before.record === after.record &&
    before.columns === after.columns &&
    before.selected === after.selected &&
    before.changed === after.changed &&
    before.hrefOf === after.hrefOf &&
    Boolean(before.selection) === Boolean(after.selection),
) as <T>(props: RowProps<T>) => ReactNode;

function Rows<T>({ columns, items, keyOf, hrefOf, label, selection, versionOf }: ListProps<T>) {
  const changed = useChanged({ items, keyOf, versionOf });
  return (
    <Paper p={0}>
      <table className="rows" aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th style={{ width: 44 }}>
                <SelectAll items={items} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.title} className={column.numeric ? "numeric" : undefined} scope="col">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...rowEvents}>
          {items === undefined ? (
            <SkeletonRows columns={columns.length + (selection ? 1 : 0)} />
          ) : (
            items.map((record) => (
              <Row
                key={keyOf(record)}
                record={record}
                columns={columns}
                hrefOf={hrefOf}
                selection={selection}
                selected={selection?.has(record) ?? false}
                changed={changed.has(keyOf(record))}
              />
            ))
          )}
        </tbody>
      </table>
    </Paper>
  );
}

function Cards<T>({ columns, items, keyOf, hrefOf, label, selection, versionOf }: ListProps<T>) {
  const changed = useChanged({ items, keyOf, versionOf });
  if (items === undefined)
    return (
      <Stack gap="sm">
        {[0, 1, 2, 3].map((n) => (
          <Skeleton key={n} height={76} />
        ))}
      </Stack>
    );
  const shown = columns.filter((column, index) => index > 0 && column.phone);
  // An amount stands beside the title, so that all amounts are below each other.
  const amount = shown.at(-1)?.numeric ? shown.pop() : undefined;
  return (
    <div className="cards" role="list" aria-label={label} {...rowEvents}>
      {items.map((record) => (
        <div
          key={keyOf(record)}
          data-row={hrefOf ? "" : undefined}
          className={changed.has(keyOf(record)) ? "card changed" : "card"}
          role="listitem"
        >
          <div className="card-head">
            {selection && <SelectOne record={record} selection={selection} selected={selection.has(record)} />}
            <div className="card-title">
              {hrefOf ? (
                <Link href={hrefOf(record)} className="row-link">
                  {cellOf(columns[0]!, record)}
                </Link>
              ) : (
                cellOf(columns[0]!, record)
              )}
            </div>
            {amount && <div>{amount.cell(record)}</div>}
          </div>
          <div className="card-facts">
            {shown.map((column) => (
              <div key={column.title} className={column.line ? "card-line" : undefined}>
                {cellOf(column, record)}
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Keeps the place of the rows. They become visible after a moment, since most answers arrive before. */
function SkeletonRows({ columns }: { columns: number }) {
  return [0, 1, 2, 3, 4, 5].map((row) => (
    <tr key={row} className="bones" aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <div />
        </td>
      ))}
    </tr>
  ));
}

/** Reads a list that the server gives page by page with a cursor. */
export function useCursorList<T>(path: string, query: Record<string, QueryValue> = {}) {
  return useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<T>>(path, { query: { ...query, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

interface CursorListProps<T> extends Omit<ListProps<T>, "items" | "error" | "retry" | "footer"> {
  path: string;
  query?: Record<string, QueryValue>;
  /** For a filter that the server does not have, of a list that is short. */
  only?: (record: T) => boolean;
}

export function CursorList<T>({ path, query, only = () => true, ...list }: CursorListProps<T>) {
  const pages = useCursorList<T>(path, query);
  const items = pages.data?.pages.flatMap((page) => page.items).filter(only);
  return (
    <List
      {...list}
      items={items}
      error={pages.error}
      retry={() => void pages.refetch()}
      footer={
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {items && t(pages.hasNextPage ? "list.shownMore" : "list.shownAll", { count: count(items.length) })}
          </Text>
          {pages.hasNextPage && (
            <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {t("list.more")}
            </Button>
          )}
        </Group>
      }
    />
  );
}

export function NothingMatches({ clear }: { clear: () => void }) {
  return (
    <Empty
      title={t("list.nothingMatches")}
      text={t("list.nothingMatchesText")}
      action={
        <Button variant="default" onClick={clear}>
          {t("list.clearFilters")}
        </Button>
      }
    />
  );
}
