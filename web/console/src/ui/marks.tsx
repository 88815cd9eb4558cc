// Times and states as people read them. The page of the sandbox uses this file, too, so it has no texts of its own.
import { Tooltip } from "@mantine/core";
import { IconCheck, IconCircleDashed, IconClock, IconTruck, IconX } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { fullTime, relativeTime } from "../lib/format";

/** A time as people say it; the whole time is shown on hover and focus. */
export function When({ at }: { at: string }) {
  return (
    <Tooltip label={fullTime(at)}>
      <time dateTime={at} tabIndex={0}>
        {relativeTime(at)}
      </time>
    </Tooltip>
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
