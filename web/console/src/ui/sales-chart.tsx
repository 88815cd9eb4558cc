import "@mantine/charts/styles.css";

import { BarChart } from "@mantine/charts";
import { money, moneyOnAxis } from "../lib/format";

interface SalesChartProps {
  /** What the chart shows, in a sentence; the numbers are in the table below it. */
  label: string;
  names: { total: string; refunds: string };
  /** Refunds are negative. */
  points: { start: string; total: number; refunds: number }[];
  currency: string;
}

/** The sales; the part that was returned covers their upper end, or is below zero on a day without sales. */
export function SalesChart({ label, names, points, currency }: SalesChartProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={320}
        data={points}
        dataKey="start"
        type="stacked"
        withLegend
        series={[
          { name: "total", label: names.total, color: "indigo.6" },
          { name: "refunds", label: names.refunds, color: "orange.5" },
        ]}
        valueFormatter={(cents) => money(cents, currency)}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ width: 80, tickFormatter: (cents: number) => moneyOnAxis(cents, currency) }}
        xAxisProps={{ minTickGap: 24 }}
        barProps={{ isAnimationActive: false, radius: 2 }}
      />
    </div>
  );
}
