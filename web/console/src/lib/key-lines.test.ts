import { expect, test } from "vitest";
import { ApiError } from "../api";
import { keyLines, keysOfFile, problemsOf, withoutLines } from "./key-lines";

test("each line that is not empty is a key and knows its number", () => {
  expect(keyLines(" AAA \r\n\r\nBBB\n")).toEqual([
    { number: 1, key: "AAA" },
    { number: 3, key: "BBB" },
  ]);
});

test("of a CSV file the first column is taken, without its heading", () => {
  expect(keysOfFile("keys.csv", '\uFEFFLicence key;Note\n"A,1";x\nB2;y\n')).toBe("A,1\nB2");
  expect(keysOfFile("keys.txt", "Key,1\nB2")).toBe("Key,1\nB2");
});

test("the server's problems name the lines of the text", () => {
  const details = [
    { field: "keys.1", message: "is known already" },
    { field: "keys.2", message: "is the same as keys.0" },
  ];
  const error = new ApiError(400, "VALIDATION", "", details, "", null);
  expect(problemsOf(error, keyLines("A\n\nB\nA"))).toEqual([
    { number: 3, text: "is known already" },
    { number: 4, text: "is the same as line 1" },
  ]);
  expect(withoutLines("A\n\nB\nA", new Set([3, 4]))).toBe("A\n");
});
