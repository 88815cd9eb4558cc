// The keys in a text that somebody pastes or chooses as a file, and what the server says about them.
import type { ApiError } from "../api";
import { t } from "../text";
import { parseCsv } from "./csv";
import { fieldMessage } from "./field-messages";

/** What the server takes at once. */
export const keysPerRequest = 10_000;

export interface KeyLine {
  /** Its line in the text, from 1. */
  number: number;
  key: string;
}

export function keyLines(text: string): KeyLine[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, key: line.trim() }))
    .filter(({ key }) => key !== "");
}

export function withoutLines(text: string, numbers: Set<number>): string {
  return text
    .split(/\r\n|\r|\n/)
    .filter((_, index) => !numbers.has(index + 1))
    .join("\n");
}

/** Of a CSV file the first column, without a heading that is no key. */
export function keysOfFile(name: string, text: string): string {
  if (!/\.csv$/i.test(name)) return text.replace(/^\uFEFF/, "");
  const keys = parseCsv(text).map(([first = ""]) => first);
  if (/^(key|code|licen[cs]e|serial|schlüssel|lizenz)s?([ _-]?(key|code|number))?s?$/i.test(keys[0] ?? ""))
    keys.shift();
  return keys.join("\n");
}

export interface KeyProblem {
  number: number;
  text: string;
}

/** The server counts the keys of a request from 0 (`keys.7`); people count lines from 1. Empty if it is about something else. */
export function problemsOf(error: ApiError, lines: KeyLine[]): KeyProblem[] {
  const numberOf = (index: string | undefined) => lines[Number(index)]?.number ?? 0;
  return error.details.flatMap(({ field, message }) => {
    const index = /^keys\.(\d+)$/.exec(field)?.[1];
    if (index === undefined) return [];
    const other = /^is the same as keys\.(\d+)$/.exec(message)?.[1];
    const text = other ? t("deliveryKeys.same", { number: numberOf(other) }) : fieldMessage(message);
    return [{ number: numberOf(index), text }];
  });
}
