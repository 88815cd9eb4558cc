// What the buyer of a digital item sees.
import { Anchor, Stack, Text } from "@mantine/core";
import type { DeliveredPart } from "../api";
import { dateTime } from "../lib/format";
import { t } from "../text";
import { Copyable } from "./basics";

export function DeliveredParts({ parts }: { parts: DeliveredPart[] }) {
  if (parts.length === 0) return <Text c="dimmed">{t("item.nothing")}</Text>;
  return (
    <Stack gap="md" className="embed">
      {parts.map((part, index) => (
        <div key={index}>
          <Text fw={600} className="break-anywhere">
            {part.name}
          </Text>
          {part.availableAt && (
            <Text size="sm" c="dimmed">
              {t("item.availableFrom", { date: dateTime(part.availableAt) })}
            </Text>
          )}
          {part.values.map((value) => (
            <PartValue key={value} kind={part.kind} value={value} />
          ))}
        </div>
      ))}
    </Stack>
  );
}

function PartValue({ kind, value }: { kind: DeliveredPart["kind"]; value: string }) {
  if (kind === "LINK")
    return (
      <Anchor href={value} target="_blank" rel="noopener noreferrer" className="break-anywhere">
        {value}
      </Anchor>
    );
  if (kind === "TEXT")
    return (
      <Text className="break-anywhere" style={{ whiteSpace: "pre-wrap" }}>
        {value}
      </Text>
    );
  return <Copyable text={value} />;
}
