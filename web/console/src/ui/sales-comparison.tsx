import "@mantine/charts/styles.css";

import { ChartTooltip, LineChart } from "@mantine/charts";
import { axisProps } from "../lib/axis";
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
  /** The last one is today. */
  days: ComparedDay[];
  currency: string;
  color: string;
}

/** The previous period is a thin line behind the present one. Today is not over, so the line to it is dashed. */
export function SalesComparison({ label, names, days, currency, color }: SalesComparisonProps) {
  const last = days.length - 1;
  const points = days.map(({ day, present, previous }, index) => ({
    day,
    previous,
    present: index < last ? present : null,
    today: index >= last - 1 ? present : null,
  }));
  const series = [
    { name: "previous", label: names.previous, color: "gray.6" },
    { name: "present", label: names.present, color },
    { name: "today", label: names.present, color, strokeDasharray: "4 4" },
  ];
  const valueFormatter = (cents: number) => money(cents, currency);
  return (
    <div role="img" aria-label={label}>
      <LineChart
        h={220}
        data={points}
        dataKey="day"
        series={series}
        curveType="linear"
        withDots={false}
        tooltipProps={{
          // Both lines begin yesterday, whose amount is shown once.
          content: ({ label: day, payload }) => {
            const ended = payload?.some((entry) => entry.name === "present" && entry.value !== null);
            return (
              <ChartTooltip
                label={String(day)}
                payload={payload?.filter((entry) => entry.value !== null && !(ended && entry.name === "today"))}
                series={series}
                valueFormatter={valueFormatter}
              />
            );
          },
        }}
        valueFormatter={valueFormatter}
        tickLine="none"
        gridAxis="x"
        strokeWidth={2}
        yAxisProps={{
          width: 76,
          ...axisProps(
            days.flatMap(({ present, previous }) => [present, previous]),
            currency,
          ),
          tickFormatter: (cents: number) => moneyOnAxis(cents, currency),
        }}
        xAxisProps={{ minTickGap: 32 }}
        lineProps={(line) => ({ isAnimationActive: false, ...(line.name === "previous" ? { strokeWidth: 1 } : {}) })}
      />
    </div>
  );
}
