import type { Membership } from "../api";
import { membershipTones, stateOf } from "../lib/membership";
import { t } from "../text";
import { StatusMark } from "./marks";

export function MembershipState({ membership }: { membership: Membership }) {
  const state = stateOf(membership);
  return <StatusMark tone={membershipTones[state]}>{t(`membershipState.${state}`)}</StatusMark>;
}
