// Times and states as people read them. The page of the sandbox uses this file, too, so it has no texts of its own.
import { IconCheck, IconCircleDashed, IconClock, IconTruck, IconX } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { fullTime, relativeTime } from "../lib/format";
import { useTip } from "./tip";

/** A time as people say it; the whole time is shown on hover and focus. */
export function When({ at }: { at: string }) {
  const { props, tooltip } = useTip(() => fullTime(at));
  return (
    <>
      <time dateTime={at} tabIndex={0} {...props}>
        {relativeTime(at)}
      </time>
      {tooltip}
    </>
  );
}

export type Tone = "good" | "waiting" | "bad" | "info" | "neutral";
const toneIcons: Record<Tone, ComponentType<{ size?: number; "aria-hidden"?: boolean }>> = {
  good: IconCheck,
  waiting: IconClock,
  bad: IconX,
  info: IconTruck,
  neutral: IconCircleDashed,
};

/** A state with an icon and a colour that say the same as its word. */
export function StatusMark({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = toneIcons[tone];
  return (
    <span className={`status status-${tone}`}>
      <Icon size={13} aria-hidden />
      {children}
    </span>
  );
}
