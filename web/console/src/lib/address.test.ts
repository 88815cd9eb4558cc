import { expect, test } from "vitest";
import { addressLines, addressParts } from "./address";

test("an address in parts has its lines in the order of a parcel", () => {
  const address = {
    country: "DE",
    city: "Bonn",
    postalCode: "53111",
    line2: "Floor 2",
    line1: "Main 1",
    name: "Ann",
    state: "NW",
  };
  expect(addressLines(address, "Customer")).toEqual(["Ann", "Main 1", "Floor 2", "53111 Bonn, NW", "Germany"]);
});

test("empty parts have no line, and the customer's name stands for a missing one", () => {
  expect(
    addressLines(
      { line1: "Main 1", line2: " ", postalCode: null, city: "Bonn", state: "", country: undefined },
      "Customer",
    ),
  ).toEqual(["Customer", "Main 1", "Bonn"]);
});

test("an address that the chat bot has written as one text keeps its lines", () => {
  expect(addressLines({ text: "Ann\r\nMain 1\nBonn" }, "Customer")).toEqual(["Customer", "Ann", "Main 1", "Bonn"]);
  expect(addressParts({ line1: "Main 1", text: "ring twice" }).line1).toBe("Main 1\nring twice");
});

test.each([null, undefined, {}])("no address (%j) is only a name", (address) =>
  expect(addressLines(address, "Customer")).toEqual(["Customer"]),
);

test("a country that is no code stays as it is", () => {
  expect(addressLines({ country: "Deutschland" }, "C")).toEqual(["C", "Deutschland"]);
  expect(addressLines({ country: "QQ" }, "C")).toEqual(["C", "QQ"]);
});
