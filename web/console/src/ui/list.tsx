// A list page: a table from tablet size up, cards on a phone, one primary action, filters in the address bar.
import { Button, Card, Group, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Page, QueryValue } from "@guildhall/client";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { api } from "../api";
import { count } from "../lib/format";
import { t } from "../text";
import { Empty, ErrorNotice } from "./basics";

export interface Column<T> {
  title: string;
  cell: (record: T) => ReactNode;
  numeric?: boolean;
  /** On a phone only the columns marked so are shown, beside the first one. */
  phone?: boolean;
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
}

export function List<T>(props: ListProps<T>) {
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  if (props.error && !props.items) return <ErrorNotice error={props.error} retry={props.retry} />;
  if (props.items?.length === 0) return <Paper>{props.empty}</Paper>;
  return (
    <Stack gap="sm">
      {phone ? <Cards {...props} /> : <Rows {...props} />}
      {props.footer}
    </Stack>
  );
}

function Rows<T>({ columns, items, keyOf, hrefOf, label }: ListProps<T>) {
  return (
    <Paper p={0}>
      <Table.ScrollContainer minWidth={0}>
        <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md" aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.title} className={column.numeric ? "numeric" : undefined} scope="col">
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items === undefined
              ? skeletonRows(columns.length)
              : items.map((record) => (
                  <Table.Tr key={keyOf(record)}>
                    {columns.map((column, index) => (
                      <Table.Td key={column.title} className={column.numeric ? "numeric" : "break-anywhere"}>
                        {index === 0 && hrefOf ? (
                          <Link href={hrefOf(record)} className="row-link">
                            {column.cell(record)}
                          </Link>
                        ) : (
                          column.cell(record)
                        )}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Cards<T>({ columns, items, keyOf, hrefOf, label }: ListProps<T>) {
  if (items === undefined) return <Stack gap="sm">{[0, 1, 2, 3].map((n) => <Skeleton key={n} height={76} />)}</Stack>;
  const shown = columns.filter((column, index) => index > 0 && column.phone);
  return (
    <Stack gap="sm" role="list" aria-label={label}>
      {items.map((record) => (
        <Card key={keyOf(record)} withBorder padding="sm" role="listitem">
          <Text component="div" fw={600} mb={4} className="break-anywhere">
            {hrefOf ? (
              <Link href={hrefOf(record)} className="row-link">
                {columns[0]!.cell(record)}
              </Link>
            ) : (
              columns[0]!.cell(record)
            )}
          </Text>
          <Group justify="space-between" gap="xs">
            {shown.map((column) => (
              <div key={column.title}>{column.cell(record)}</div>
            ))}
          </Group>
        </Card>
      ))}
    </Stack>
  );
}

function skeletonRows(columns: number) {
  return [0, 1, 2, 3, 4, 5].map((row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={14} width={column === 0 ? "70%" : "50%"} />
        </Table.Td>
      ))}
    </Table.Tr>
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
}

export function CursorList<T>({ path, query, ...list }: CursorListProps<T>) {
  const pages = useCursorList<T>(path, query);
  const items = pages.data?.pages.flatMap((page) => page.items);
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
