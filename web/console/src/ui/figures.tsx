// The most important figures of a report, and the names of its rows.
import { Paper, SimpleGrid, Skeleton, Text } from "@mantine/core";
import { currentLanguage } from "../text";
import { Figure } from "./basics";

export type Interval = "day" | "week" | "month";

/** `2026-11-16` as people say it; a month without its day. */
export function startText(start: string, interval: Interval): string {
  const date = new Date(`${start}T00:00:00`);
  return date.toLocaleDateString(currentLanguage(), interval === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short" });
}

/** Each with its name, its value once it is known, and a sentence that explains it where the name is not enough. */
export function Figures({ figures }: { figures: [name: string, value: string | undefined, explanation?: string][] }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {figures.map(([name, value, explanation]) => (
        <Paper key={name} p={{ base: "sm", md: "md" }}>
          <Text size="sm" c="dimmed">{name}</Text>
          {value === undefined ? <Skeleton height={24} width={80} my={4} /> : <Figure>{value}</Figure>}
          {explanation && <Text size="xs" c="dimmed">{explanation}</Text>}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
