import "@mantine/charts/styles.css";

import { LineChart } from "@mantine/charts";
import { money, moneyOnAxis } from "../lib/format";

export interface ComparedDay {
  day: string;
  present: number;
  previous: number;
}

interface SalesComparisonProps {
  /** What the chart shows, in a sentence; the numbers are in the table beside it. */
  label: string;
  names: { present: string; previous: string };
  days: ComparedDay[];
  currency: string;
  color: string;
}

/** The previous period is a thin dashed line behind the present one. */
export function SalesComparison({ label, names, days, currency, color }: SalesComparisonProps) {
  return (
    <div role="img" aria-label={label}>
      <LineChart
        h={220}
        data={days}
        dataKey="day"
        series={[
          { name: "previous", label: names.previous, color: "gray.5", strokeDasharray: "4 4" },
          { name: "present", label: names.present, color },
        ]}
        curveType="linear"
        withDots={false}
        valueFormatter={(cents) => money(cents, currency)}
        tickLine="none"
        gridAxis="x"
        strokeWidth={2}
        yAxisProps={{ width: 76, tickFormatter: (cents: number) => moneyOnAxis(cents, currency) }}
        xAxisProps={{ minTickGap: 32 }}
        lineProps={(series) => ({ isAnimationActive: false, ...(series.name === "previous" ? { strokeWidth: 1 } : {}) })}
      />
    </div>
  );
}
