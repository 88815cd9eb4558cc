import "@mantine/charts/styles.css";

import { CompositeChart } from "@mantine/charts";
import { axisProps } from "../lib/axis";
import { money, moneyOnAxis } from "../lib/format";

export interface ReportPoint {
  start: string;
  amount: number;
  /** Negative. */
  refunds?: number;
  /** Of the period before. */
  before?: number | null;
}

interface ReportChartProps {
  /** What the chart shows, in a sentence; the numbers are in the table below it. */
  label: string;
  names: { amount: string; refunds: string; before: string };
  points: ReportPoint[];
  currency: string;
  color: string;
}

/** Bars; what was returned covers their upper end, or is below zero without sales. The period before is a thin line. */
export function ReportChart({ label, names, points, currency, color }: ReportChartProps) {
  const has = (name: "refunds" | "before") => points.some((point) => point[name]);
  const values = points.flatMap(({ amount, refunds = 0, before }) => [amount, amount + refunds, before ?? 0]);
  return (
    <div role="img" aria-label={label}>
      <CompositeChart
        h={320}
        data={points}
        dataKey="start"
        withLegend={has("refunds") || has("before")}
        maxBarWidth={48}
        curveType="linear"
        withDots={false}
        series={[
          { name: "amount", label: names.amount, color, type: "bar" },
          ...(has("refunds")
            ? [{ name: "refunds", label: names.refunds, color: "orange.5", type: "bar" as const }]
            : []),
          ...(has("before") ? [{ name: "before", label: names.before, color: "gray.6", type: "line" as const }] : []),
        ]}
        valueFormatter={(cents) => money(cents, currency)}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{
          width: 80,
          ...axisProps(values, currency),
          tickFormatter: (cents: number) => moneyOnAxis(cents, currency),
        }}
        xAxisProps={{ minTickGap: 24 }}
        barProps={{ isAnimationActive: false, radius: 2, stackId: "amounts" }}
        lineProps={{ isAnimationActive: false, strokeWidth: 1 }}
      />
    </div>
  );
}
