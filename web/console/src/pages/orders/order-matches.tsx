// The closed orders that a search finds, below the open ones.
import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { QueryValue } from "@guildhall/client";
import { api, type Order, type OrderPage } from "../../api";
import { count } from "../../lib/format";
import { closedStatuses } from "../../lib/order-status";
import { t } from "../../text";
import { List, type Column } from "../../ui/list";

const path = "/api/data/order";
const shownMax = 10;

/** Rows and count come with one answer. Nothing is read while `query` is null. */
export function useClosedMatches(query: Record<string, QueryValue> | null) {
  return useQuery({
    queryKey: [path, "closed", query],
    queryFn: ({ signal }) =>
      api.get<OrderPage>(path, {
        query: { ...query, status: closedStatuses.join(), limit: shownMax, total: true },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: query !== null,
  });
}

interface ClosedMatchesProps {
  matches: ReturnType<typeof useClosedMatches>;
  columns: Column<Order>[];
  keyOf: (order: Order) => string;
  hrefOf: (order: Order) => string;
  showAll: () => void;
}

export function ClosedMatches({ matches, showAll, ...list }: ClosedMatchesProps) {
  const total = matches.data?.total ?? 0;
  if (!matches.error && total === 0) return null;
  const shown = matches.data?.totalIsAtLeast ? t("list.totalAtLeast", { count: count(total) }) : count(total);
  return (
    <Stack gap="sm" mt="xl" component="section" aria-labelledby="closed-orders">
      <Group justify="space-between">
        <Title order={2} fz={16} id="closed-orders">
          {t("orders.closedMatches")}{" "}
          <Text span c="dimmed" fw={400}>
            {shown}
          </Text>
        </Title>
        {matches.data?.nextCursor && (
          <Button size="xs" variant="default" onClick={showAll}>
            {t("orders.showClosed")}
          </Button>
        )}
      </Group>
      <List<Order>
        {...list}
        label={t("orders.closedMatches")}
        items={matches.data?.items}
        stale={matches.isPlaceholderData}
        error={matches.error}
        retry={() => void matches.refetch()}
        empty={null}
      />
    </Stack>
  );
}
