import "@mantine/charts/styles.css";

import { BarChart } from "@mantine/charts";
import { count } from "../lib/format";

interface MembershipChartProps {
  /** What the chart shows, in a sentence; the numbers are in the table below it. */
  label: string;
  names: { started: string; renewed: string; ended: string };
  /** Ends are negative. */
  points: { start: string; started: number; renewed: number; ended: number }[];
}

/** Beginnings and renewals above the line, ends below it. */
export function MembershipChart({ label, names, points }: MembershipChartProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={280}
        data={points}
        dataKey="start"
        type="stacked"
        withLegend
        series={[
          { name: "renewed", label: names.renewed, color: "indigo.6" },
          { name: "started", label: names.started, color: "teal.5" },
          { name: "ended", label: names.ended, color: "orange.5" },
        ]}
        valueFormatter={(value) => count(Math.abs(value))}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{ width: 40, allowDecimals: false }}
        xAxisProps={{ minTickGap: 24 }}
        barProps={{ isAnimationActive: false, radius: 2 }}
      />
    </div>
  );
}
