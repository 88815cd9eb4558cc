import { minorUnits } from "./format";

/**
 * The properties of a vertical axis that shows all these amounts: at most six round ones, zero among them. No step is smaller
 * than one unit of the currency. Below zero the axis ends where the amounts do.
 */
export function axisProps(values: number[], currency: string): { ticks: number[]; domain: [number, number] } {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const least = Math.max((high - low) / 4, 10 ** minorUnits(currency));
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least)!;
  const first = Math.ceil(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step),
    domain: [low, last * step],
  };
}
