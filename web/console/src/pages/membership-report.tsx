import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type MembershipsReport } from "../api";
import { currencies } from "../lib/currencies";
import { count, money } from "../lib/format";
import { loadablePart } from "../lib/loadable";
import { shopCurrency, shopTimeZone } from "../lib/shop";
import { useUrlState } from "../lib/url-state";
import { currentLanguage, t } from "../text";
import { Empty, ErrorNotice } from "../ui/basics";
import { Figures, startText } from "../ui/figures";
import { SearchSelect } from "../ui/search-select";

const MembershipChart = loadablePart(() => import("../ui/membership-chart").then((m) => m.MembershipChart));

const path = "/api/admin/reports/memberships";
const intervals = ["day", "week", "month"] as const;

const percent = (basisPoints: number) => (basisPoints / 10_000).toLocaleString(currentLanguage(), { style: "percent", maximumFractionDigits: 1 });

export function MembershipReport() {
  const { values, change } = useUrlState(["from", "to", "interval", "currency"] as const);
  const interval = intervals.find((each) => each === values.interval) ?? "day";
  const currency = values.currency || shopCurrency();
  const query = { from: values.from, to: values.to, interval, currency, timeZone: shopTimeZone() };
  const { data: report, error, refetch } = useQuery({ queryKey: [path, query], queryFn: ({ signal }) => api.get<MembershipsReport>(path, { query, signal }), placeholderData: keepPreviousData });
  const address = `${path}?${new URLSearchParams([...Object.entries(query).filter(([, value]) => value !== ""), ["format", "csv"]])}`;
  if (error && !report) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const { totals } = report ?? {};
  const inMoney = (cents: number) => money(cents, currency);
  const nothing = totals && totals.started + totals.renewed + totals.ended === 0;
  return (
    <Stack>
      <Group gap="sm" align="flex-end" justify="space-between">
        <Group gap="sm" align="flex-end">
          <TextInput type="date" label={t("filter.from")} value={values.from || (report?.from ?? "")} onChange={(event) => change({ from: event.currentTarget.value })} />
          <TextInput type="date" label={t("filter.to")} value={values.to || (report?.to ?? "")} onChange={(event) => change({ to: event.currentTarget.value })} />
          <SearchSelect label={t("products.currency")} w={110} value={currency} data={currencies} onChange={(chosen) => chosen && change({ currency: chosen })} />
          <SegmentedControl aria-label={t("reports.interval")} value={interval} data={intervals.map((each) => ({ value: each, label: t(`reports.${each}`) }))} onChange={(chosen) => change({ interval: chosen === "day" ? "" : chosen })} />
        </Group>
        <Button component="a" variant="default" leftSection={<IconDownload size={16} />} href={address} download>{t("reports.download")}</Button>
      </Group>
      <Figures
        figures={[
          [t("memberReport.members"), report && count(report.members)],
          [t("memberReport.recurring"), report && inMoney(report.monthlyRecurringCents), t("memberReport.recurringText")],
          [t("memberReport.churn"), report && (report.churnBasisPoints == null ? "–" : percent(report.churnBasisPoints)), t("memberReport.churnText")],
          [t("memberReport.revenue"), totals && inMoney(totals.revenueCents)],
        ]}
      />
      {report && !report.isComplete && <Text size="sm" c="dimmed">{t("memberReport.incomplete")}</Text>}
      {!report && <Skeleton height={280} />}
      {nothing && <Paper><Empty title={t("memberReport.empty")} text={t("memberReport.emptyText")} /></Paper>}
      {report && !nothing && (
        <>
          <Paper>
            <MembershipChart
              meanwhile={<Skeleton height={280} />}
              label={t("memberReport.chart", { from: report.from, to: report.to })}
              names={{ started: t("memberReport.started"), renewed: t("memberReport.renewed"), ended: t("memberReport.ended") }}
              points={report.items.map((row) => ({ start: startText(row.start, report.interval), started: row.started, renewed: row.renewed, ended: -row.ended }))}
            />
          </Paper>
          <ReportTable report={report} />
        </>
      )}
    </Stack>
  );
}

function ReportTable({ report }: { report: MembershipsReport }) {
  const row = (name: string, figures: MembershipsReport["totals"]) => (
    <>
      <td className="one-line">{name}</td>
      <td className="numeric">{count(figures.started)}</td>
      <td className="numeric">{count(figures.renewed)}</td>
      <td className="numeric">{count(figures.ended)}</td>
      <td className="numeric">{money(figures.revenueCents, report.currency)}</td>
    </>
  );
  return (
    <Paper p={0}>
      <table className="rows figures" aria-label={t("memberReport.table")}>
        <thead>
          <tr>
            <th scope="col">{t(`reports.${report.interval}`)}</th>
            {(["started", "renewed", "ended", "revenue"] as const).map((name) => <th key={name} scope="col" className="numeric">{t(`memberReport.${name}`)}</th>)}
          </tr>
        </thead>
        <tbody>{[...report.items].reverse().map((figures) => <tr key={figures.start}>{row(startText(figures.start, report.interval), figures)}</tr>)}</tbody>
        <tfoot><tr>{row(t("reports.all"), report.totals)}</tr></tfoot>
      </table>
    </Paper>
  );
}
