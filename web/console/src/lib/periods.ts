// The periods of reports, as days of the shop's calendar: `2026-11-18`.
import type { SalesReport } from "../api";

export interface Period {
  from: string;
  to: string;
}

export const presets = ["today", "7days", "30days", "month", "quarter", "year"] as const;
export type Preset = (typeof presets)[number];

const dayMs = 86_400_000;
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const shifted = (day: string, days: number) => dayOf(timeOf(day) + days * dayMs);

export const daysIn = ({ from, to }: Period): number => Math.round((timeOf(to) - timeOf(from)) / dayMs) + 1;

/** The same day some months earlier, or the last day of that month if it is shorter. */
function monthsBefore(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 - months, Math.min(date, last)));
}

/** The period up to today. */
export function periodOf(preset: Preset, today: string): Period {
  const month = Number(today.slice(5, 7));
  const first = { month, quarter: month - ((month - 1) % 3), year: 1 };
  switch (preset) {
    case "today":
      return { from: today, to: today };
    case "7days":
      return { from: shifted(today, -6), to: today };
    case "30days":
      return { from: shifted(today, -29), to: today };
    default:
      return { from: `${today.slice(0, 5)}${String(first[preset]).padStart(2, "0")}-01`, to: today };
  }
}

/** The same part of the month, quarter or year before; otherwise as many days directly before. */
export function periodBefore(period: Period, preset: Preset | null): Period {
  const months = { month: 1, quarter: 3, year: 12 }[preset as "month"];
  if (months !== undefined) return { from: monthsBefore(period.from, months), to: monthsBefore(period.to, months) };
  return { from: shifted(period.from, -daysIn(period)), to: shifted(period.from, -1) };
}

/** So that a chart has neither three bars nor three hundred. */
export function intervalFor(period: Period): SalesReport["interval"] {
  const days = daysIn(period);
  return days > 184 ? "month" : days > 62 ? "week" : "day";
}
