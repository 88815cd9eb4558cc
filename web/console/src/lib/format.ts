// Money, numbers and times as people read them, in the language of the page. The page of the sandbox uses this file, too.
import { browserTimeZone, shopDay, shopTimeZone } from "./shop";

const currentLanguage = () => document.documentElement.lang;

/** Makes each formatter once: making one takes a hundred times as long as using it. */
function cached<Options, Format>(make: (language: string, options: Options) => Format): (options: Options) => Format {
  const made = new Map<string, Format>();
  return (options) => {
    const key = currentLanguage() + JSON.stringify(options);
    const known = made.get(key) ?? make(currentLanguage(), options);
    made.set(key, known);
    return known;
  };
}

const numberFormat = cached((language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options));
const timeFormat = cached(
  (language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
);
const relativeFormat = cached(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);

/**
 * The currencies that do not have two minor units, by ISO 4217 as on the server. What browsers know instead is what people in a
 * country use: no minor units for HUF and IDR, whose amounts would be shown a hundred times too high.
 */
const minorUnitsOf = new Map(
  (
    [
      [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
      [3, "BHD IQD JOD KWD LYD OMR TND"],
      [4, "CLF UYW"],
    ] as const
  ).flatMap(([units, codes]) => codes.split(" ").map((code) => [code, units] as const)),
);

/** Minor units of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorUnits(currency: string): number {
  return minorUnitsOf.get(currency) ?? 2;
}

function formatMoney(cents: number, currency: string, options: Intl.NumberFormatOptions): string {
  // Adding zero turns a negative zero into zero.
  const amount = cents / 10 ** minorUnits(currency) + 0;
  return numberFormat({ style: "currency", currency, ...options })
    .format(amount)
    .replace("-", "\u2212");
}

/** `2700, "USD"` is `$27.00`. A negative amount has a true minus sign. */
export function money(cents: number, currency: string): string {
  const digits = minorUnits(currency);
  return formatMoney(cents, currency, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** For the axis of a chart, where there is little room: `$1,500`, `$27.50`, `¥12M`. */
export function moneyOnAxis(cents: number, currency: string): string {
  const amount = cents / 10 ** minorUnits(currency);
  if (Math.abs(amount) >= 100_000)
    return formatMoney(cents, currency, { notation: "compact", maximumSignificantDigits: 3 });
  return Number.isInteger(amount) ? formatMoney(cents, currency, { maximumFractionDigits: 0 }) : money(cents, currency);
}

/** What a person typed, in minor units; null when it is not an amount of this currency. */
export function parseMoney(text: string, currency: string): number | null {
  const digits = minorUnits(currency);
  const match = /^\s*(\d{1,13})(?:[.,](\d+))?\s*$/.exec(text);
  if (!match) return null;
  const fraction = match[2] ?? "";
  if (fraction.length > digits) return null;
  const cents = Number(match[1] + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(cents) ? cents : null;
}

/** Minor units as a person would type them: `2700, "USD"` is `27.00`. */
export function moneyInput(cents: number, currency: string): string {
  return (cents / 10 ** minorUnits(currency)).toFixed(minorUnits(currency));
}

export function count(value: number): string {
  return numberFormat({}).format(value);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `12 min ago` up to a day, then the date. */
export function relativeTime(at: string, now: number = Date.now()): string {
  const age = now - Date.parse(at);
  const format = relativeFormat({ numeric: "auto", style: "short" });
  if (Math.abs(age) < minute) return format.format(0, "second");
  if (Math.abs(age) < hour) return format.format(-Math.trunc(age / minute), "minute");
  if (Math.abs(age) < day) return format.format(-Math.trunc(age / hour), "hour");
  const sameYear = shopDay(0, Date.parse(at)).slice(0, 4) === shopDay(0, now).slice(0, 4);
  return timeFormat({
    timeZone: shopTimeZone(),
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(Date.parse(at));
}

/** The date alone. */
export function dateOf(at: string): string {
  return timeFormat({ timeZone: shopTimeZone(), dateStyle: "medium" }).format(Date.parse(at));
}

/** The date and the time of day, for events that follow each other closely. */
export function dateTime(at: string): string {
  return timeFormat({ timeZone: shopTimeZone(), dateStyle: "medium", timeStyle: "short" }).format(Date.parse(at));
}

/** With the name of the time zone where it is not that of the browser. */
export function fullTime(at: string): string {
  const timeZone = shopTimeZone();
  const text = timeFormat({ timeZone, dateStyle: "full", timeStyle: "medium" }).format(Date.parse(at));
  return timeZone === browserTimeZone ? text : `${text} (${timeZone})`;
}

/** `1,5 MB`: the largest unit of which there is at least one. */
export function fileSize(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return numberFormat({
    style: "unit",
    unit: units[step]!,
    unitDisplay: "short",
    maximumFractionDigits: step > 1 ? 1 : 0,
  }).format(bytes / 1000 ** step);
}
