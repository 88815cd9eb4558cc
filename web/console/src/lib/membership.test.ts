import { describe, expect, test } from "vitest";
import { lengthText, membershipStates, queryOfState, stateOf } from "./membership";

const now = Date.parse("2026-11-18T12:00:00Z");
const membership = (status: "ACTIVE" | "PAUSED" | "ENDED", expiresAt: string, isTrial = false) => ({
  status,
  expiresAt,
  isTrial,
});

test.each([
  [membership("ACTIVE", "2026-11-18T12:00:01Z"), "ACTIVE"],
  [membership("ACTIVE", "2026-11-18T12:00:01Z", true), "TRIAL"],
  [membership("ACTIVE", "2026-11-18T12:00:00Z"), "GRACE"],
  [membership("ACTIVE", "2026-11-18T13:00:00+02:00", true), "GRACE"],
  [membership("PAUSED", "2026-01-01T00:00:00Z"), "PAUSED"],
  [membership("ENDED", "2027-01-01T00:00:00Z", true), "ENDED"],
])("%j is %s", (record, state) => expect(stateOf(record, now)).toBe(state));

describe("the filters of a state", () => {
  test("none for all", () => expect(queryOfState("", "now")).toEqual({}));
  test.each(membershipStates)("%s asks for the status that it is shown for", (state) => {
    expect(queryOfState(state, "now")["status"]).toBe(["TRIAL", "GRACE"].includes(state) ? "ACTIVE" : state);
  });
  test("a trial that has expired is in its days of grace", () => {
    expect(queryOfState("TRIAL", "now")).toEqual({ status: "ACTIVE", isTrial: "true", expiresFrom: "now" });
    expect(queryOfState("GRACE", "now")).toEqual({ status: "ACTIVE", expiresTo: "now" });
  });
});

test.each([
  [1, 0, "1 month"],
  [12, 0, "12 months"],
  [0, 1, "1 day"],
  [1, 30, "1 month, 30 days"],
  [0, 0, ""],
])("%d months and %d days are %j", (months, days, text) => expect(lengthText({ months, days })).toBe(text));
