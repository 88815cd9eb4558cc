// Parts that several pages use.
import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { StatusMark, type Tone } from "../../../console/src/ui/marks";

export function Page({ title, text, actions, children }: { title: string; text: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="page">
      <Group justify="space-between" align="flex-end" mb="md" gap="sm">
        <Stack gap={2}>
          <Title order={1} fz={{ base: 20, md: 24 }}>{title}</Title>
          <Text c="dimmed" maw={640}>{text}</Text>
        </Stack>
        {actions}
      </Group>
      {children}
    </div>
  );
}

export function Empty({ title, text }: { title: string; text: ReactNode }) {
  return (
    <Stack align="center" gap={4} py={48} ta="center" className="empty">
      <Title order={2} fz={16}>{title}</Title>
      <Text c="dimmed" maw={420}>{text}</Text>
    </Stack>
  );
}

const names: Record<string, string> = { unknown: "Not scanned yet", pre_transit: "Label created", failure: "Failed", SEEN: "Received, not confirmed" };

const tones: [RegExp, Tone][] = [
  [/part|dispute|fail|past_due|unpaid/i, "bad"],
  [/refund|expire|cancel/i, "neutral"],
  [/paid|delivered|active/i, "good"],
  [/transit|out_for|approved|seen/i, "info"],
];

/** The state of a payment, a parcel or a subscription, in the words of its party. */
export function PartyStatus({ value }: { value: string }) {
  const tone = tones.find(([pattern]) => pattern.test(value))?.[1] ?? "waiting";
  const words = names[value] ?? value.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ").toLowerCase();
  return <StatusMark tone={tone}>{words.charAt(0).toUpperCase() + words.slice(1)}</StatusMark>;
}

/** The part of an address that tells one call from another. */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, "");
}
