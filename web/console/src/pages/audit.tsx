import { Code, Stack, Text } from "@mantine/core";
import type { AuditRecord } from "../api";
import { t, type TextKey } from "../text";
import { Empty, PageHead, When } from "../ui/basics";
import { CursorList } from "../ui/list";

type Changes = Record<string, { before?: unknown; after?: unknown } | unknown>;

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** A change in words: field, what it was, what it is. */
function Difference({ changes }: { changes: Changes }) {
  const entries = Object.entries(changes ?? {});
  return (
    <Stack gap={2}>
      {entries.slice(0, 6).map(([field, change]) => {
        const pair = change as { before?: unknown; after?: unknown };
        return (
          <Text key={field} size="sm" className="break-anywhere">
            <Code>{field}</Code> {valueText(pair?.before)} → {valueText(pair?.after)}
          </Text>
        );
      })}
      {entries.length > 6 && <Text size="sm" c="dimmed">{t("audit.more", { count: entries.length - 6 })}</Text>}
    </Stack>
  );
}

export function AuditPage() {
  return (
    <>
      <PageHead title={t("audit.title")} />
      <CursorList<AuditRecord>
        label={t("audit.title")}
        path="/api/admin/audit"
        columns={[
          { title: t("audit.what"), cell: (entry) => `${entry.subject} ${entry.action}` },
          { title: t("audit.who"), cell: (entry) => t(`actor.${entry.actorKind}` as TextKey), phone: true },
          { title: t("audit.changes"), cell: (entry) => <Difference changes={entry.changes as Changes} /> },
          { title: t("audit.when"), cell: (entry) => <When at={entry.at} />, phone: true },
          { title: t("audit.sealed"), cell: (entry) => (entry.hash ? <Code>{entry.hash.slice(0, 8)}</Code> : t("audit.notYet")) },
        ]}
        keyOf={(entry) => entry.id}
        empty={<Empty title={t("audit.empty")} text={t("audit.emptyText")} />}
      />
    </>
  );
}
