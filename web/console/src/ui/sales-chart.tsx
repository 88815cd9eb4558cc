import "@mantine/charts/styles.css";

import { BarChart } from "@mantine/charts";

interface SalesChartProps {
  /** What the chart shows, in a sentence; the numbers are in the table below it. */
  label: string;
  names: { net: string; refunds: string };
  points: { start: string; net: number; refunds: number }[];
  format: (cents: number) => string;
}

/** What remained of the sales, with what was returned on top of it: together they are the sales. */
export function SalesChart({ label, names, points, format }: SalesChartProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={320}
        data={points}
        dataKey="start"
        type="stacked"
        withLegend
        series={[
          { name: "net", label: names.net, color: "indigo.6" },
          { name: "refunds", label: names.refunds, color: "orange.5" },
        ]}
        valueFormatter={format}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ width: 80 }}
        xAxisProps={{ minTickGap: 24 }}
        barProps={{ isAnimationActive: false, radius: 2 }}
      />
    </div>
  );
}
