// Sales of the last days beside those of the days before them.
import { Anchor, Box, Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type SalesReport } from "../../api";
import { useBranding } from "../../lib/branding";
import { count, money } from "../../lib/format";
import { useIsShown } from "../../lib/idle";
import { loadablePart } from "../../lib/loadable";
import { shopCurrency, shopDay, shopTimeZone } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { currentLanguage, t } from "../../text";
import { ErrorNotice, Figure } from "../../ui/basics";
import { Change } from "../../ui/figures";
import type { ComparedDay } from "../../ui/sales-comparison";

const SalesComparison = loadablePart(() => import("../../ui/sales-comparison").then((m) => m.SalesComparison));

const periods = ["7", "30", "90"];
const path = "/api/admin/reports/sales";

function dayText(start: string): string {
  return new Date(`${start}T00:00:00`).toLocaleDateString(currentLanguage(), { day: "numeric", month: "short" });
}

function useSales(days: number) {
  const query = { from: shopDay(2 * days - 1), to: shopDay(), interval: "day", timeZone: shopTimeZone() };
  return useQuery({
    queryKey: [path, "home", query],
    placeholderData: keepPreviousData,
    enabled: useIsShown(),
    queryFn: async ({ signal }) => {
      const report = await api.get<SalesReport>(path, { query, signal });
      // A shop that sells in another currency than the default one sees its own.
      const { currencies, currency } = report;
      return currencies.length === 0 || currencies.includes(currency)
        ? report
        : api.get<SalesReport>(path, { query: { ...query, currency: currencies[0]! }, signal });
    },
  });
}

interface Totals {
  cents: number;
  orders: number;
}

function totals(rows: SalesReport["items"]): Totals {
  return rows.reduce((sum, row) => ({ cents: sum.cents + row.netCents, orders: sum.orders + row.orders }), {
    cents: 0,
    orders: 0,
  });
}

export function HomeSales() {
  const { values, change } = useUrlState(["days"]);
  const days = Number(periods.includes(values.days) ? values.days : "30");
  const sales = useSales(days);
  const [asTable, setAsTable] = useState(false);
  const shown = useIsShown();
  const accent = useBranding().data?.record.accentColor ?? "indigo.6";
  const rows = sales.data?.items ?? [];
  const half = Math.floor(rows.length / 2);
  const present = totals(rows.slice(half));
  const previous = totals(rows.slice(0, half));
  const nothing = rows.every((row) => row.orders === 0 && row.netCents === 0);
  const currency = sales.data?.currency ?? shopCurrency();
  const compared: ComparedDay[] = rows
    .slice(half)
    .map((row, index) => ({ day: dayText(row.start), present: row.netCents, previous: rows[index]?.netCents ?? 0 }));
  const label = t("home.salesChart", {
    days,
    present: money(present.cents, currency),
    previous: money(previous.cents, currency),
  });
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={16}>
          {t("home.sales")}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t("home.period")}
          value={String(days)}
          data={periods.map((value) => ({ value, label: t("home.days", { count: value }) }))}
          onChange={(value) => change({ days: value === "30" ? "" : value })}
        />
      </Group>
      {sales.error && <ErrorNotice error={sales.error} retry={() => void sales.refetch()} />}
      {!sales.data && !sales.error && <Skeleton height={290} />}
      {sales.data && (
        <Stack gap="sm">
          <Group gap="lg">
            <ComparedFigure
              name={t("home.net")}
              value={money(present.cents, currency)}
              now={present.cents}
              before={previous.cents}
            />
            <ComparedFigure
              name={t("reports.orders")}
              value={count(present.orders)}
              now={present.orders}
              before={previous.orders}
            />
          </Group>
          {nothing && (
            <Text c="dimmed" py="xl" ta="center">
              {t("home.noSales", { days })}
            </Text>
          )}
          {!nothing &&
            (asTable ? (
              <SalesTable days={compared} currency={currency} />
            ) : !shown ? (
              <Skeleton height={220} />
            ) : (
              <SalesComparison
                meanwhile={<Skeleton height={220} />}
                label={label}
                names={{ present: t("home.present"), previous: t("home.previous") }}
                days={compared}
                currency={currency}
                color={accent}
              />
            ))}
          {!nothing && (
            <Group justify="space-between" gap="xs">
              <Text size="sm" c="dimmed">
                {t("home.legend", { days })}
              </Text>
              <Anchor component="button" type="button" size="sm" onClick={() => setAsTable(!asTable)}>
                {t(asTable ? "home.asChart" : "home.asTable")}
              </Anchor>
            </Group>
          )}
        </Stack>
      )}
    </Paper>
  );
}

function ComparedFigure({ name, value, now, before }: { name: string; value: string; now: number; before: number }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Group gap="xs" align="baseline">
        <Figure>{value}</Figure>
        <Change now={now} before={before} />
      </Group>
    </div>
  );
}

function SalesTable({ days, currency }: { days: ComparedDay[]; currency: string }) {
  return (
    <Box mah={260} tabIndex={0} role="region" aria-label={t("reports.table")} style={{ overflow: "auto" }}>
      <table className="rows figures sticky-head" aria-label={t("reports.table")}>
        <thead>
          <tr>
            <th scope="col">{t("reports.day")}</th>
            <th scope="col" className="numeric">
              {t("home.present")}
            </th>
            <th scope="col" className="numeric">
              {t("home.previous")}
            </th>
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((row) => (
            <tr key={row.day}>
              <td>{row.day}</td>
              <td className="numeric">{money(row.present, currency)}</td>
              <td className="numeric">{money(row.previous, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}
