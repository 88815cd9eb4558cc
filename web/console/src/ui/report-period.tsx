// Which period and currency a report is about. All of it is in the address bar.
import { Button, Group, SegmentedControl, Stack, Switch, TextInput } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { type Period, type Preset, daysIn, intervalFor, periodBefore, periodOf, presets } from "../lib/periods";
import { shopDay, shopTimeZone } from "../lib/shop";
import { useUrlState } from "../lib/url-state";
import { currentLanguage, t } from "../text";
import { SearchSelect } from "./search-select";
import type { Interval } from "./figures";
import { valuesOf } from "../enums";

const intervals = valuesOf("SalesReport", "interval");
const keys = ["period", "from", "to", "interval", "currency", "compare"] as const;

export interface ReportPeriod {
  preset: Preset | null;
  period: Period;
  /** Null: it is not to be compared. */
  before: Period | null;
  interval: Interval;
  /** Empty: the shop's. */
  currency: string;
  timeZone: string;
  change: (changes: Partial<Record<(typeof keys)[number], string>>) => void;
}

export function useReportPeriod(): ReportPeriod {
  const { values, change } = useUrlState(keys);
  const own = values.from !== "" || values.to !== "";
  const preset = own ? null : (presets.find((each) => each === values.period) ?? "30days");
  const to = values.to || shopDay();
  const period = preset ? periodOf(preset, to) : { from: values.from || periodOf("30days", to).from, to };
  const compared = values.compare !== "off" && daysIn(period) > 0;
  const interval = intervals.find((each) => each === values.interval) ?? intervalFor(period);
  return {
    preset,
    period,
    before: compared ? periodBefore(period, preset) : null,
    interval,
    currency: values.currency,
    timeZone: shopTimeZone(),
    change,
  };
}

/** `Oct 20 – Nov 18, 2026` */
export function periodText({ from, to }: Period): string {
  const format = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "medium", timeZone: "UTC" });
  return Date.parse(from) <= Date.parse(to) ? format.formatRange(Date.parse(from), Date.parse(to)) : "";
}

interface PeriodBarProps {
  report: ReportPeriod;
  currency: string;
  currencies: string[];
  withInterval: boolean;
  /** Without it there is nothing to compare with. */
  withComparison?: boolean;
}

export function PeriodBar({
  report: { preset, period, before, interval, change },
  currency,
  currencies,
  withInterval,
  withComparison = true,
}: PeriodBarProps) {
  const own = (changes: Partial<Period>) => change({ period: "", ...period, ...changes });
  return (
    <Stack gap="sm" className="no-print">
      <Group gap="xs" role="group" aria-label={t("reports.period")}>
        {presets.map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant={each === preset ? "filled" : "default"}
            aria-pressed={each === preset}
            onClick={() => change({ period: each === "30days" ? "" : each, from: "", to: "" })}
          >
            {t(`period.${each}`)}
          </Button>
        ))}
      </Group>
      <Group gap="sm" align="flex-end">
        <TextInput
          type="date"
          label={t("filter.from")}
          value={period.from}
          onChange={(event) => event.currentTarget.value && own({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t("filter.to")}
          value={period.to}
          onChange={(event) => event.currentTarget.value && own({ to: event.currentTarget.value })}
        />
        <CurrencySelect currency={currency} currencies={currencies} change={(chosen) => change({ currency: chosen })} />
        {withInterval && (
          <SegmentedControl
            aria-label={t("reports.interval")}
            value={interval}
            data={intervals.map((each) => ({ value: each, label: t(`reports.${each}`) }))}
            onChange={(chosen) => change({ interval: chosen })}
          />
        )}
        {withComparison && (
          <Switch
            mb={8}
            label={t("reports.compare")}
            checked={before !== null}
            onChange={(event) => change({ compare: event.currentTarget.checked ? "" : "off" })}
          />
        )}
      </Group>
    </Stack>
  );
}

export function CurrencySelect({
  currency,
  currencies,
  change,
}: {
  currency: string;
  currencies: string[];
  change: (currency: string) => void;
}) {
  return (
    <SearchSelect
      label={t("products.currency")}
      w={110}
      allowDeselect={false}
      value={currency}
      data={[...new Set([...currencies, currency])]}
      onChange={(chosen) => chosen && change(chosen)}
    />
  );
}

export function PrintButton({ variant = "default" }: { variant?: string }) {
  return (
    <Button variant={variant} className="no-print" leftSection={<IconPrinter size={16} />} onClick={() => print()}>
      {t("action.print")}
    </Button>
  );
}
