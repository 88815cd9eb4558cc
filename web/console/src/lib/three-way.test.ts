import { describe, expect, test } from "vitest";
import { changedFields, merge, same, valueAt, withMine } from "./three-way";

describe("same", () => {
  test.each<[unknown, unknown]>([
    [null, undefined],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [{ a: 1 }, { a: 1, b: null }],
    [[{ a: null }], [{}]],
    [{}, {}],
  ])("%j and %j", (one, other) => {
    expect(same(one, other)).toBe(true);
    expect(same(other, one)).toBe(true);
  });
  test.each<[unknown, unknown]>([
    ["", null],
    [0, null],
    [0, false],
    [0, "0"],
    [[], {}],
    [[], null],
    [{}, null],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, null]],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
  ])("not %j and %j", (one, other) => {
    expect(same(one, other)).toBe(false);
    expect(same(other, one)).toBe(false);
  });
});

describe("changed fields", () => {
  test("a form that nobody has changed sends nothing", () => {
    const record = { name: "Mug", notes: null, tags: ["a"], scope: { all: true } };
    expect(changedFields({ ...record, notes: undefined }, record, record)).toEqual({});
  });
  test("a value that was emptied is sent", () => {
    expect(changedFields({ notes: null }, { notes: "call" }, { notes: "call" })).toEqual({ notes: null });
    expect(changedFields({ tags: [] }, { tags: ["a"] }, { tags: ["a"] })).toEqual({ tags: [] });
  });
  test("the parts that the form does not show are kept as they are stored", () => {
    const stored = { lifecycle: { isActive: true, endsAt: "2026-01-01T00:00:00.123Z", usageCount: 7 } };
    const before = { lifecycle: { isActive: true, endsAt: "2026-01-01T00:00:00.000Z" } };
    const after = { lifecycle: { isActive: false, endsAt: "2026-01-01T00:00:00.000Z" } };
    expect(changedFields(after, before, stored)).toEqual({
      lifecycle: { isActive: false, endsAt: "2026-01-01T00:00:00.123Z", usageCount: 7 },
    });
  });
  test("a part that was removed is gone", () => {
    const stored = { address: { line1: "Main 1", line2: "Floor 2", city: "Bonn" } };
    expect(changedFields({ address: { line1: "Main 1", city: "Bonn" } }, stored, stored)).toEqual({
      address: { line1: "Main 1", city: "Bonn" },
    });
  });
  test("a whole object is sent where there was none before", () => {
    expect(changedFields({ address: { city: "Bonn" } }, { address: null }, { address: null })).toEqual({
      address: { city: "Bonn" },
    });
    expect(changedFields({ address: null }, { address: { city: "Bonn" } }, { address: { city: "Bonn" } })).toEqual({
      address: null,
    });
  });
});

describe("merge", () => {
  test("what only one of both has changed is merged", () => {
    expect(merge({ name: "Cup" }, { name: "Mug", price: 1 }, { name: "Mug", price: 2 })).toEqual({
      changes: { name: "Cup" },
      asked: [],
    });
  });
  test("what both have changed in the same way is no conflict", () => {
    expect(merge({ name: "Cup" }, { name: "Mug" }, { name: "Cup" })).toEqual({ changes: {}, asked: [] });
  });
  test("what both have changed in different ways is asked", () => {
    expect(merge({ name: "Cup" }, { name: "Mug" }, { name: "Jar" })).toEqual({ changes: {}, asked: ["name"] });
    expect(merge({ tags: ["a", "b"] }, { tags: ["a"] }, { tags: ["a", "c"] })).toEqual({
      changes: {},
      asked: ["tags"],
    });
  });
  test("without the record from before every difference is asked", () => {
    expect(merge({ name: "Cup", price: 1 }, undefined, { name: "Mug", price: 1 })).toEqual({
      changes: {},
      asked: ["name"],
    });
  });
  test("parts of a field are merged one by one", () => {
    const base = { life: { active: true, endsAt: null, limit: 5 } };
    expect(
      merge({ life: { active: false, endsAt: null, limit: 6 } }, base, {
        life: { active: true, endsAt: "soon", limit: 7 },
      }),
    ).toEqual({ changes: { life: { active: false, endsAt: "soon", limit: 7 } }, asked: ["life.limit"] });
  });
  test("a part that I have removed stays removed, and what they have added stays", () => {
    const base = { address: { line1: "Main 1", line2: "Floor 2" } };
    const { changes, asked } = merge({ address: { line1: "Main 1" } }, base, {
      address: { line1: "Main 3", line2: "Floor 2", state: "NW" },
    });
    expect(asked).toEqual([]);
    expect(JSON.parse(JSON.stringify(changes))).toEqual({ address: { line1: "Main 3", state: "NW" } });
  });
  test("a part that I have removed and they have changed is asked", () => {
    const base = { address: { line1: "Main 1", line2: "Floor 2" } };
    const merged = merge({ address: { line1: "Main 1" } }, base, { address: { line1: "Main 1", line2: "Floor 3" } });
    expect(merged).toEqual({ changes: { address: { line1: "Main 1", line2: "Floor 3" } }, asked: ["address.line2"] });
    expect(
      JSON.parse(JSON.stringify(withMine(merged.changes, "address.line2", { address: { line1: "Main 1" } }))),
    ).toEqual({ address: { line1: "Main 1" } });
  });
  test("somebody has removed the object that I have changed", () => {
    expect(merge({ address: { city: "Bonn" } }, { address: { city: "Ulm" } }, { address: null })).toEqual({
      changes: {},
      asked: ["address"],
    });
  });
});

test("a value by its path", () => {
  expect(valueAt({ life: { endsAt: "soon" } }, "life.endsAt")).toBe("soon");
  expect(valueAt({ life: null }, "life.endsAt")).toBeUndefined();
});

test("my value of a part goes into the changes, beside theirs", () => {
  expect(withMine({ life: { active: true } }, "life.limit", { life: { active: false, limit: 6 } })).toEqual({
    life: { active: true, limit: 6 },
  });
  expect(withMine({}, "name", { name: null })).toEqual({ name: null });
});
