// The most important figures of a report, and the names of its rows.
import { Group, Paper, SimpleGrid, Skeleton, Text } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import type { SalesReport } from "../api";
import { currentLanguage } from "../text";
import { Figure } from "./basics";

export type Interval = SalesReport["interval"];

/** `2026-11-16` as people say it; a month without its day. */
export function startText(start: string, interval: Interval): string {
  const date = new Date(`${start}T00:00:00`);
  return date.toLocaleDateString(
    currentLanguage(),
    interval === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" },
  );
}

/** How much more or less it is than before, in percent. Nothing if there was nothing before, or if it is the same. */
export function Change({ now, before, neutral = false }: { now: number; before: number; neutral?: boolean }) {
  const change = before === 0 ? 0 : (now - before) / Math.abs(before);
  if (change === 0) return null;
  const Icon = change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <span className={`status status-${neutral ? "neutral" : change < 0 ? "bad" : "good"}`}>
      <Icon size={13} aria-hidden />
      {new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: 0, signDisplay: "always" })
        .format(change)
        .replace("-", "\u2212")}
    </span>
  );
}

interface ShownFigure {
  name: string;
  /** Once it is known. */
  value: string | undefined;
  /** A sentence where the name is not enough. */
  explanation?: string;
  change?: { now: number; before: number; neutral?: boolean };
}

export function Figures({ figures }: { figures: ShownFigure[] }) {
  return (
    <SimpleGrid cols={{ base: 2, md: figures.length === 3 ? 3 : 4 }} spacing="sm">
      {figures.map(({ name, value, explanation, change }) => (
        <Paper key={name} p={{ base: "sm", md: "md" }}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          {value === undefined ? (
            <Skeleton height={24} width={80} my={4} />
          ) : (
            <Group gap="xs" align="baseline">
              <Figure>{value}</Figure>
              {change && <Change {...change} />}
            </Group>
          )}
          {explanation && (
            <Text size="xs" c="dimmed">
              {explanation}
            </Text>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
