// Writing and reading CSV (RFC 4180).

export type Cell = string | number | boolean | null | undefined;

/**
 * Spreadsheets run a text that begins like this as a formula; the apostrophe makes it a text (OWASP, "CSV injection"). A
 * negative amount is no formula.
 */
function safeText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}

function cellText(cell: Cell): string {
  const text = typeof cell === "string" ? safeText(cell) : String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvText(rows: Cell[][]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

/** The rows of a CSV text. Takes commas, semicolons or tabs, whichever the first line has most of. */
export function parseCsv(text: string): string[][] {
  const input = text.replace(/^\uFEFF/, "");
  const firstLine = input.slice(0, input.search(/\r|\n|$/));
  const separator = [",", ";", "\t"].reduce((best, each) =>
    firstLine.split(each).length > firstLine.split(best).length ? each : best,
  );
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    endCell();
    rows.push(row);
    row = [];
  };
  for (let at = 0; at < input.length; ++at) {
    const letter = input[at]!;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (input[at + 1] === '"') cell += input[++at];
      else quoted = false;
    } else if (letter === '"' && cell === "") quoted = true;
    else if (letter === separator) endCell();
    else if (letter === "\n" || (letter === "\r" && input[at + 1] !== "\n")) endRow();
    else if (letter !== "\r") cell += letter;
  }
  endRow();
  // The apostrophe that csvText puts before formulas is not a part of the text.
  return rows
    .filter((cells) => cells.some((text) => text.trim() !== ""))
    .map((cells) => cells.map((text) => (/^'[=+\-@]/.test(text) ? text.slice(1) : text).trim()));
}

/** Offers a text to the browser's downloads. The byte order mark tells spreadsheets that it is UTF-8. */
export function download(name: string, text: string, type = "text/csv"): void {
  const url = URL.createObjectURL(
    new Blob(["\uFEFF".repeat(type === "text/csv" ? 1 : 0), text], { type: `${type};charset=utf-8` }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
