import "@mantine/charts/styles.css";

import { LineChart } from "@mantine/charts";
import { axisProps } from "../lib/axis";
import { money, moneyOnAxis } from "../lib/format";

interface BalanceChartProps {
  /** What the chart shows, in a sentence. */
  label: string;
  name: string;
  points: { day: string; balance: number }[];
  currency: string;
  color: string;
}

export function BalanceChart({ label, name, points, currency, color }: BalanceChartProps) {
  return (
    <div role="img" aria-label={label}>
      <LineChart
        h={200}
        data={points}
        dataKey="day"
        series={[{ name: "balance", label: name, color }]}
        curveType="stepAfter"
        withDots={false}
        valueFormatter={(cents) => money(cents, currency)}
        tickLine="none"
        gridAxis="x"
        yAxisProps={{
          width: 76,
          ...axisProps(
            points.map((point) => point.balance),
            currency,
          ),
          tickFormatter: (cents: number) => moneyOnAxis(cents, currency),
        }}
        xAxisProps={{ minTickGap: 32 }}
        strokeWidth={2}
        lineProps={{ isAnimationActive: false }}
      />
    </div>
  );
}
