import { Button, Group, NumberInput, Paper, Select, Skeleton, Stack, Tabs, Text } from "@mantine/core";
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { QueryValue } from "@guildhall/client";
import { useEffect } from "react";
import { api, type SalesReport, type TaxReport } from "../../api";
import { useBranding } from "../../lib/branding";
import { download } from "../../lib/csv";
import { money } from "../../lib/format";
import { loadablePart } from "../../lib/loadable";
import type { Period } from "../../lib/periods";
import { reportCsv, reportTabs, type ReportTab, type ReportView, shownValue, viewOf } from "../../lib/report-view";
import { shopCurrency, shopDay } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { t, type TextKey } from "../../text";
import { Empty, ErrorNotice, PageHead } from "../../ui/basics";
import { Figures, type Interval, startText } from "../../ui/figures";
import type { ReportPoint } from "../../ui/report-chart";
import {
  CurrencySelect,
  PeriodBar,
  periodText,
  PrintButton,
  type ReportPeriod,
  useReportPeriod,
} from "../../ui/report-period";
import { ReportTable } from "../../ui/report-table";

// The library that draws is larger than the page: the table is there before it.
const ReportChart = loadablePart(() => import("../../ui/report-chart").then((m) => m.ReportChart));

const base = "/api/admin/reports";
const withIntervals = (tab: ReportTab) => tab === "sales" || tab === "tax";
const tabName = (tab: ReportTab) => t(`reports.${tab}` as TextKey);

function queryOf(
  tab: ReportTab,
  { interval, currency, timeZone }: ReportPeriod,
  period: Period,
  threshold: string,
): Record<string, QueryValue> {
  if (tab === "stock") return { currency, threshold: threshold || null, limit: 200 };
  return { ...period, currency, timeZone, ...(withIntervals(tab) ? { interval } : {}) };
}

function useReport(tab: ReportTab, query: Record<string, QueryValue> | null) {
  const path = `${base}/${tab}`;
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api.get<object>(path, { query: query ?? {}, signal }),
    enabled: query !== null,
    placeholderData: (before, from) => (from?.queryKey[0] === path ? before : undefined),
  });
}

export function ReportsPage() {
  const { values, change } = useUrlState(["tab", "threshold"] as const);
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const tab = reportTabs.find((each) => each === values.tab) ?? "sales";
  const period = useReportPeriod();
  const isStock = tab === "stock";
  const sales = useReport("sales", queryOf("sales", period, period.period, ""));
  const report = useReport(tab, queryOf(tab, period, period.period, values.threshold));
  const before = useReport(tab, period.before && !isStock ? queryOf(tab, period, period.before, "") : null);
  const { currencies = [], currency = shopCurrency() } = (sales.data ?? {}) as Partial<SalesReport>;

  // A shop that sells in another currency than the default one sees its own.
  const own = period.currency === "" && currencies.length > 0 && !currencies.includes(currency) ? currencies[0]! : "";
  const changePeriod = period.change;
  useEffect(() => {
    if (own !== "") changePeriod({ currency: own });
  }, [own, changePeriod]);

  const compared = period.before !== null && !isStock;
  const earlier = compared ? before.data : undefined;
  const view =
    report.data && (!compared || before.data || before.error) ? viewOf(tab, report.data, earlier) : undefined;
  const choose = (chosen: string | null) => change({ tab: chosen === "sales" ? "" : (chosen ?? "") });
  const name = isStock ? shopDay() : `${period.period.from}-${period.period.to}`;
  const content = (
    <Stack>
      {isStock ? (
        <StockBar
          threshold={values.threshold}
          change={(threshold) => change({ threshold })}
          currency={period.currency || currency}
          currencies={currencies}
          choose={(chosen) => changePeriod({ currency: chosen })}
        />
      ) : (
        <PeriodBar
          report={period}
          currency={period.currency || currency}
          currencies={currencies}
          withInterval={withIntervals(tab)}
        />
      )}
      <h2 className="print-only">{tabName(tab)}</h2>
      {!isStock && (
        <Text size="sm" c="dimmed">
          {[
            periodText(period.period),
            period.before && t("reports.comparedWith", { period: periodText(period.before) }),
            t("reports.zone", { zone: period.timeZone }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      )}
      {report.error && !report.data ? (
        <ErrorNotice error={report.error} retry={() => void report.refetch()} />
      ) : (
        <Report tab={tab} view={view} interval={period.interval} points={view && pointsOf(tab, report.data, earlier)} />
      )}
    </Stack>
  );
  return (
    <>
      <PageHead
        title={t("reports.title")}
        actions={
          <>
            <PrintButton />
            <Button
              variant="default"
              className="no-print"
              leftSection={<IconDownload size={16} />}
              disabled={!view}
              onClick={() => view && download(`${tab}-${name}.csv`, reportCsv(view, t(`reports.${period.interval}`)))}
            >
              {t("reports.download")}
            </Button>
          </>
        }
      />
      {phone ? (
        <>
          <Select
            className="no-print"
            mb="md"
            aria-label={t("reports.which")}
            allowDeselect={false}
            value={tab}
            data={reportTabs.map((each) => ({ value: each, label: tabName(each) }))}
            onChange={choose}
          />
          {content}
        </>
      ) : (
        <Tabs value={tab} onChange={choose}>
          <Tabs.List className="no-print" mb="md">
            {reportTabs.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {tabName(each)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>{content}</Tabs.Panel>
        </Tabs>
      )}
    </>
  );
}

function StockBar({
  threshold,
  change,
  currency,
  currencies,
  choose,
}: {
  threshold: string;
  change: (threshold: string) => void;
  currency: string;
  currencies: string[];
  choose: (currency: string) => void;
}) {
  const settle = useDebouncedCallback((value: string | number) => change(String(value)), 300);
  return (
    <Group gap="sm" align="flex-end" className="no-print">
      <NumberInput
        w={220}
        label={t("reports.threshold")}
        min={1}
        max={1_000_000}
        allowDecimal={false}
        defaultValue={threshold === "" ? 5 : Number(threshold)}
        onChange={settle}
      />
      <CurrencySelect currency={currency} currencies={currencies} change={choose} />
    </Group>
  );
}

/** What the chart of a report shows; reports without intervals have none. */
function pointsOf(tab: ReportTab, now: object | undefined, before: object | undefined): ReportPoint[] | null {
  if (!now || !withIntervals(tab)) return null;
  const of = (report: object) =>
    tab === "sales"
      ? (report as SalesReport).items.map((row) => [row.totalCents, -row.refundCents] as const)
      : (report as TaxReport).items.map((row) => [row.taxCents, 0] as const);
  const { items, interval } = now as SalesReport;
  const earlier = before && of(before);
  return of(now).map(([amount, refunds], index) => ({
    start: startText(items[index]!.start, interval),
    amount,
    refunds,
    before: earlier ? (earlier[index]?.[0] ?? null) : null,
  }));
}

function Report({
  tab,
  view,
  interval,
  points,
}: {
  tab: ReportTab;
  view: ReportView<any> | undefined;
  interval: Interval;
  points: ReportPoint[] | null | undefined;
}) {
  const accent = useBranding().data?.record.accentColor ?? "indigo.6";
  if (!view)
    return (
      <Stack>
        <Skeleton height={92} />
        <Skeleton height={320} />
      </Stack>
    );
  const nothing =
    view.rows.length === 0 ||
    (view.totals !== undefined &&
      view.columns.every(({ kind, of }) => (kind !== "money" && kind !== "count") || !of(view.totals)));
  const names = {
    amount: tab === "tax" ? t("order.tax") : t("reports.total"),
    refunds: t("reports.refunds"),
    before: t("reports.before"),
  };
  const total = points?.reduce((sum, point) => sum + point.amount, 0) ?? 0;
  return (
    <>
      {view.figures.length > 0 && (
        <Figures
          figures={view.figures.map(({ name, kind, value, before, neutral }) => ({
            name,
            value: shownValue(kind, value, view.currency),
            ...(typeof before === "number" && {
              change: { now: value, before, neutral: neutral ?? false },
              explanation: t("reports.beforeValue", { value: shownValue(kind, before, view.currency) }),
            }),
          }))}
        />
      )}
      {nothing && (
        <Paper>
          <Empty
            title={t(
              tab === "stock" ? "reports.stockEnough" : tab === "discounts" ? "reports.noDiscounts" : "reports.empty",
            )}
            text={t(
              tab === "stock"
                ? "reports.stockEnoughText"
                : tab === "customers"
                  ? "reports.noCustomers"
                  : "reports.emptyText",
            )}
          />
        </Paper>
      )}
      {!nothing && points && (
        <Paper>
          <ReportChart
            meanwhile={<Skeleton height={320} />}
            label={t("reports.chart", { name: names.amount, total: money(total, view.currency) })}
            names={names}
            points={points}
            currency={view.currency}
            color={accent}
          />
        </Paper>
      )}
      {!nothing && <ReportTable view={view} label={tabName(tab)} interval={interval} />}
      {!view.complete && (
        <Text size="sm" c="dimmed">
          {t(tab === "stock" ? "reports.moreStock" : "reports.more")}
        </Text>
      )}
    </>
  );
}
