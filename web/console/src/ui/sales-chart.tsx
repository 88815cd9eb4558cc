import "@mantine/charts/styles.css";

import { BarChart } from "@mantine/charts";

interface SalesChartProps {
  /** What the chart shows, in a sentence; the numbers are in the table beside it. */
  label: string;
  name: string;
  points: { start: string; totalCents: number }[];
  format: (cents: number) => string;
}

export function SalesChart({ label, name, points, format }: SalesChartProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={320}
        data={points}
        dataKey="start"
        series={[{ name: "totalCents", label: name, color: "indigo.6" }]}
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
