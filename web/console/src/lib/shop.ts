// The shop's currency and time zone, and times on its clock. Set as soon as the shop's settings are known, before any page
// is shown. The page of the sandbox uses this file, too; it has no shop and keeps the defaults.
export const browserTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

let current = { currency: "USD", timeZone: browserTimeZone };

/** A shop that has chosen no time zone has that of the browser. */
export function setShop(settings: { effectiveCurrency: string; timeZone?: string | null }): void {
  current = { currency: settings.effectiveCurrency, timeZone: settings.timeZone ?? browserTimeZone };
}

export const shopCurrency = (): string => current.currency;
export const shopTimeZone = (): string => current.timeZone;

/** Kept, since making a formatter takes a hundred times as long as using it. */
let clock: { timeZone: string; format: Intl.DateTimeFormat } | null = null;

/** `2026-11-17T03:30:00` on the shop's clock. */
function clockTime(at: number, timeZone: string): string {
  if (clock?.timeZone !== timeZone) {
    clock = {
      timeZone,
      format: new Intl.DateTimeFormat("en-CA", {
        timeZone,
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
        hourCycle: "h23",
      }),
    };
  }
  const parts = Object.fromEntries(clock.format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}:${parts["second"]}`;
}

/** Today, or some days ago, in the shop: `2026-11-17`. */
export function shopDay(daysAgo = 0, now: number = Date.now()): string {
  const today = Date.parse(`${clockTime(now, current.timeZone).slice(0, 10)}T00:00:00Z`);
  return new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);
}

/** A time as an input of type datetime-local has it. */
export function shopTime(at: string): string {
  return clockTime(Date.parse(at), current.timeZone).slice(0, 16);
}

/**
 * The instant at which the shop's clock shows `2026-11-17T03:30`; milliseconds are allowed. When the clock skips that time in spring,
 * which some countries do at midnight, it is as long after the change as the time is after the first one that was skipped.
 */
export function instantOf(local: string): string {
  const wanted = Date.parse(`${local}Z`);
  const offsetAt = (at: number) => Date.parse(`${clockTime(at, current.timeZone)}Z`) - Math.floor(at / 1000) * 1000;
  const guess = wanted - offsetAt(wanted);
  const found = wanted - offsetAt(guess);
  return new Date(offsetAt(found) === offsetAt(guess) ? found : Math.max(found, guess)).toISOString();
}
