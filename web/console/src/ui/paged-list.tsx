// A list that is read page by page, with the number of all records, and with new records behind a button.
import { Button, Group, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Page, QueryValue } from "@guildhall/client";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../api";
import { count } from "../lib/format";
import { t } from "../text";
import { Empty } from "./basics";
import { List, type ListProps } from "./list";

interface PageOfList<T> extends Page<T> {
  total?: number | null;
  totalIsAtLeast?: boolean | null;
}

interface PagedListProps<T> extends Omit<ListProps<T>, "items" | "error" | "retry" | "footer"> {
  path: string;
  query?: Record<string, QueryValue>;
  /** Called with the records of the page whenever they are read. */
  onPage?: (items: T[]) => void;
  /** For the button that shows records which have arrived meanwhile, such as "3 new orders". */
  newText?: (count: number) => string;
}

/**
 * A list with pages of 50 records. The position is in the address bar, and the positions of the pages before are in the
 * history entry, so that both "Back" and "Previous page" work, also after a reload.
 */
export function PagedList<T>({ path, query = {}, onPage, newText, ...list }: PagedListProps<T>) {
  const [parameters, setParameters] = useSearchParams();
  const cursor = parameters.get("after");
  const earlier = (history.state as { earlier?: string[] } | null)?.earlier ?? [];
  const page = useQuery({
    queryKey: [path, "page", query, cursor],
    queryFn: ({ signal }) => api.get<PageOfList<T>>(path, { query: { ...query, limit: 50, cursor }, signal }),
    placeholderData: keepPreviousData,
  });
  const total = useQuery({
    queryKey: [path, "total", query],
    queryFn: ({ signal }) => api.get<PageOfList<T>>(path, { query: { ...query, limit: 1, total: true }, signal }),
    placeholderData: keepPreviousData,
  });
  const waiting = useNewRecords({
    items: page.data?.items,
    keyOf: list.keyOf,
    list: JSON.stringify([query, cursor]),
    // Records of the list before, or from the cache, are not what the person has seen of this list.
    read: page.isFetchedAfterMount && !page.isPlaceholderData,
    active: newText !== undefined && cursor === null,
  });
  useEffect(() => onPage?.(page.data?.items ?? []), [page.data, onPage]);
  const open = (to: string | null, before: string[]) => {
    scrollTo(0, 0);
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        if (to === null) next.delete("after");
        else next.set("after", to);
        return next;
      },
      { state: { earlier: before } },
    );
  };
  const next = page.data?.nextCursor;
  return (
    <>
      <div role="status">
        {waiting.count > 0 && newText && (
          <Button variant="light" fullWidth mb="sm" onClick={waiting.show}>
            {newText(waiting.count)}
          </Button>
        )}
      </div>
      <List
        {...list}
        // A page can be empty and still have a successor: the server examines a bounded number of records.
        empty={
          next ? (
            <Empty
              title={t("list.lookFurther")}
              text={t("list.lookFurtherText")}
              action={
                <Button onClick={() => open(next, [...earlier, cursor ?? ""])}>{t("list.lookFurtherButton")}</Button>
              }
            />
          ) : (
            list.empty
          )
        }
        items={waiting.shown}
        stale={page.isPlaceholderData}
        error={page.error}
        retry={() => void page.refetch()}
        footer={
          <Group justify="space-between">
            {/* Never the count of one query beside the rows of another. */}
            <Text size="sm" c="dimmed" aria-live="polite" mih="1.5em">
              {page.isPlaceholderData ? t("list.updating") : total.isPlaceholderData ? "" : totalText(total.data)}
            </Text>
            <Group gap="xs">
              {cursor !== null && (
                <Button variant="default" onClick={() => open(earlier.at(-1) || null, earlier.slice(0, -1))}>
                  {t("paging.previous")}
                </Button>
              )}
              {next && (
                <Button
                  variant="default"
                  loading={page.isPlaceholderData}
                  onClick={() => open(next, [...earlier, cursor ?? ""])}
                >
                  {t("paging.next")}
                </Button>
              )}
            </Group>
          </Group>
        }
      />
    </>
  );
}

function totalText(total: PageOfList<unknown> | undefined): string {
  if (typeof total?.total !== "number") return "";
  return t(total.totalIsAtLeast ? "list.totalAtLeast" : "list.shownAll", { count: count(total.total) });
}

interface NewRecordsOptions<T> {
  items: T[] | undefined;
  keyOf: (record: T) => string;
  /** Which list it is: another one begins anew. */
  list: string;
  /** Whether the items have been read for this list. */
  read: boolean;
  active: boolean;
}

/** Keeps records that appear on top of a shown page back until the person asks for them, so that no row jumps away. */
function useNewRecords<T>({ items, keyOf, list, read, active }: NewRecordsOptions<T>) {
  const [known, setKnown] = useState<{ list: string; keys: Set<string> } | null>(null);
  if (items && read && known?.list !== list) setKnown({ list, keys: new Set(items.map(keyOf)) });
  const isNew = (record: T) => known?.list === list && !known.keys.has(keyOf(record));
  const firstKnown = items?.findIndex((record) => !isNew(record)) ?? 0;
  const fresh = active && items && firstKnown > 0 ? firstKnown : 0;
  return { shown: items?.slice(fresh), count: fresh, show: () => setKnown({ list, keys: new Set(items?.map(keyOf)) }) };
}
