// The states of a membership as people see them, and the lengths of periods in words.
import type { Membership } from "../api";
import { t } from "../text";
import type { Tone } from "../ui/marks";
import { count } from "./format";

export const membershipTones = {
  ACTIVE: "good",
  TRIAL: "info",
  GRACE: "waiting",
  PAUSED: "neutral",
  ENDED: "neutral",
} satisfies Record<string, Tone>;
export type MembershipState = keyof typeof membershipTones;
export const membershipStates = Object.keys(membershipTones) as MembershipState[];

export function stateOf(
  membership: Pick<Membership, "status" | "expiresAt" | "isTrial">,
  now: number = Date.now(),
): MembershipState {
  if (membership.status !== "ACTIVE") return membership.status;
  if (Date.parse(membership.expiresAt) <= now) return "GRACE";
  return membership.isTrial ? "TRIAL" : "ACTIVE";
}

/** The filters of the server for one of these states. */
export function queryOfState(state: string, now: string): Record<string, string> {
  switch (state) {
    case "ACTIVE":
      return { status: "ACTIVE", isTrial: "false", expiresFrom: now };
    case "TRIAL":
      return { status: "ACTIVE", isTrial: "true", expiresFrom: now };
    case "GRACE":
      return { status: "ACTIVE", expiresTo: now };
    default:
      return state === "" ? {} : { status: state };
  }
}

/** `2 months`, `30 days`, or both. */
export function lengthText({ months, days }: { months: number; days: number }): string {
  const parts = [
    months === 1 ? t("periods.month") : months > 0 ? t("periods.months", { count: count(months) }) : "",
    days === 1 ? t("periods.day") : days > 0 ? t("periods.days", { count: count(days) }) : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}
