import { describe, expect, test } from "vitest";
import { csvText, parseCsv } from "./csv";

describe("writing", () => {
  test("quotes, commas and line breaks are quoted", () => {
    expect(csvText([["a", 'He said "hi", twice', "two\nlines", "two\r\nlines"]])).toBe(
      'a,"He said ""hi"", twice","two\nlines","two\r\nlines"\r\n',
    );
  });
  test("nothing is an empty cell, and zero and false are values", () => {
    expect(csvText([[null, undefined, "", 0, false]])).toBe(",,,0,false\r\n");
  });
  test.each(["=1+1", "+49 228 1", "@SUM(A1)", "-2+3", "\tx"])("%j is no formula", (text) =>
    expect(csvText([[text]])).toBe(`'${text}\r\n`),
  );
  test.each(["-5", "-5.00"])("the amount %s stays an amount", (text) => expect(csvText([[text]])).toBe(`${text}\r\n`));
});

describe("reading", () => {
  test.each([
    ["a,b\r\n1,2\r\n", "with line ends of Windows"],
    ["a,b\n1,2", "without a line end at the end"],
    ["a,b\r1,2\r", "with line ends of old spreadsheets"],
    ["\uFEFFa,b\n\n1,2\n,\n", "with a byte order mark and empty rows"],
    ["a;b\n1;2\n", "with semicolons"],
    ["a\tb\n1\t2\n", "with tabs"],
    [' a , b \n 1 ,"2"\n', "with spaces"],
  ])("%j, %s", (text) =>
    expect(parseCsv(text)).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]),
  );

  test("a file of semicolons has decimal commas", () =>
    expect(parseCsv("name;price\nMug;12,50\n")).toEqual([
      ["name", "price"],
      ["Mug", "12,50"],
    ]));
  test("an empty file has no rows", () => {
    expect(parseCsv("")).toEqual([]);
    expect(parseCsv("\uFEFF\r\n")).toEqual([]);
  });
  test("quoted cells keep separators, line breaks and doubled quotes", () => {
    expect(parseCsv('"a, b","say ""hi""","two\r\nlines",""\n')).toEqual([["a, b", 'say "hi"', "two\r\nlines", ""]]);
  });
  test("a quote inside of a cell is a letter", () => expect(parseCsv('7" plate,1\n')).toEqual([['7" plate', "1"]]));
});

test("what was written is read", () => {
  const rows = [
    ["sku", "name", "phone"],
    ["A-1", 'Mug, "big"', "+49 228 1"],
    ["", "two\nlines", "=1+1"],
  ];
  expect(parseCsv(csvText(rows))).toEqual(rows);
});
