import { Button, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type MembershipsReport } from "../../api";
import { download } from "../../lib/csv";
import { currencies } from "../../lib/currencies";
import { count, money } from "../../lib/format";
import { loadablePart } from "../../lib/loadable";
import { reportCsv, type ReportView } from "../../lib/report-view";
import { shopCurrency } from "../../lib/shop";
import { currentLanguage, t } from "../../text";
import { Empty, ErrorNotice } from "../../ui/basics";
import { Figures, startText } from "../../ui/figures";
import { PeriodBar, PrintButton, useReportPeriod } from "../../ui/report-period";
import { ReportTable } from "../../ui/report-table";

const MembershipChart = loadablePart(() => import("../../ui/membership-chart").then((m) => m.MembershipChart));

const path = "/api/admin/reports/memberships";

const percent = (basisPoints: number) =>
  (basisPoints / 10_000).toLocaleString(currentLanguage(), { style: "percent", maximumFractionDigits: 1 });

function viewOf(report: MembershipsReport): ReportView<MembershipsReport["totals"]> {
  return {
    currency: report.currency,
    figures: [],
    columns: [
      { title: "", kind: "day", of: (row) => row.start },
      { title: t("memberReport.started"), kind: "count", of: (row) => row.started },
      { title: t("memberReport.renewed"), kind: "count", of: (row) => row.renewed },
      { title: t("memberReport.ended"), kind: "count", of: (row) => row.ended },
      { title: t("memberReport.revenue"), kind: "money", of: (row) => row.revenueCents },
    ],
    rows: report.items,
    totals: report.totals,
    keyOf: (row) => row.start,
    complete: report.isComplete,
  };
}

export function MembershipReport() {
  const period = useReportPeriod();
  const { interval, timeZone } = period;
  const currency = period.currency || shopCurrency();
  const query = { ...period.period, interval, currency, timeZone };
  const {
    data: report,
    error,
    refetch,
  } = useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api.get<MembershipsReport>(path, { query, signal }),
    placeholderData: keepPreviousData,
  });
  if (error && !report) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const { totals } = report ?? {};
  const inMoney = (cents: number) => money(cents, currency);
  const nothing = totals && totals.started + totals.renewed + totals.ended === 0;
  return (
    <Stack>
      <Group gap="sm" align="flex-end" justify="space-between">
        <PeriodBar report={period} currency={currency} currencies={currencies} withInterval withComparison={false} />
        <Group gap="xs">
          <PrintButton />
          <Button
            variant="default"
            className="no-print"
            leftSection={<IconDownload size={16} />}
            disabled={!report}
            onClick={() =>
              report &&
              download(
                `memberships-${report.from}-${report.to}.csv`,
                reportCsv(viewOf(report), t(`reports.${interval}`)),
              )
            }
          >
            {t("reports.download")}
          </Button>
        </Group>
      </Group>
      <Figures
        figures={[
          { name: t("memberReport.members"), value: report && count(report.members) },
          {
            name: t("memberReport.recurring"),
            value: report && inMoney(report.monthlyRecurringCents),
            explanation: t("memberReport.recurringText"),
          },
          {
            name: t("memberReport.churn"),
            value: report && (report.churnBasisPoints == null ? "–" : percent(report.churnBasisPoints)),
            explanation: t("memberReport.churnText"),
          },
          { name: t("memberReport.revenue"), value: totals && inMoney(totals.revenueCents) },
        ]}
      />
      {report && !report.isComplete && (
        <Text size="sm" c="dimmed">
          {t("memberReport.incomplete")}
        </Text>
      )}
      {!report && <Skeleton height={280} />}
      {nothing && (
        <Paper>
          <Empty title={t("memberReport.empty")} text={t("memberReport.emptyText")} />
        </Paper>
      )}
      {report && !nothing && (
        <>
          <Paper>
            <MembershipChart
              meanwhile={<Skeleton height={280} />}
              label={t("memberReport.chart", { from: report.from, to: report.to })}
              names={{
                started: t("memberReport.started"),
                renewed: t("memberReport.renewed"),
                ended: t("memberReport.ended"),
              }}
              points={report.items.map((row) => ({
                start: startText(row.start, report.interval),
                started: row.started,
                renewed: row.renewed,
                ended: -row.ended,
              }))}
            />
          </Paper>
          <ReportTable view={viewOf(report)} label={t("memberReport.table")} interval={interval} />
        </>
      )}
    </Stack>
  );
}
