import { Alert, Button, Code, Group, Paper, Progress, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCircleCheck, IconCircleX, IconShieldCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { api, type AuditRecord, type ChainStep } from "../api";
import { count } from "../lib/format";
import { instantOf } from "../lib/shop";
import { useUrlState } from "../lib/url-state";
import { t, textOr, type TextKey } from "../text";
import { Copyable, Empty, ErrorNotice, PageHead, When } from "../ui/basics";
import { CursorList, NothingMatches } from "../ui/list";

const path = "/api/admin/audit";
const subjects = ["order", "product", "discount", "customer", "user", "grants", "role", "invitation", "payment", "payment-method", "refund", "shipment", "entitlement", "fundConfig", "fundContribution", "fundDisbursement", "settings", "branding", "tenant", "webhook-endpoint", "outbox-message"];
const shownMax = 5;

type Changes = Record<string, unknown>;

/** `unitPriceCents` as people read it: "unit price cents". */
function words(name: string): string {
  return textOr(`field.${name}`, name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_.]/g, " ").toLowerCase());
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return t("none");
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function isPair(change: unknown): change is { before?: unknown; after?: unknown } {
  return typeof change === "object" && change !== null && ("before" in change || "after" in change);
}

/** A field that had nothing and has nothing, as many of a new record's, says nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** A change in words: the field, what it was (struck through), what it is. */
function Difference({ changes }: { changes: Changes }) {
  const [all, setAll] = useState(false);
  const entries = Object.entries(changes ?? {}).filter(([, change]) => !isPair(change) || !(isEmpty(change.before) && isEmpty(change.after)));
  if (entries.length === 0) return <Text size="sm" c="dimmed">{t("audit.noFields")}</Text>;
  return (
    <Stack gap={2} align="flex-start">
      {(all ? entries : entries.slice(0, shownMax)).map(([field, change]) => {
        const pair = isPair(change) ? change : { after: change };
        const hadValue = pair.before !== null && pair.before !== undefined;
        return (
          <Text key={field} size="sm" className="break-anywhere">
            <b>{words(field)}</b> {hadValue && <><del className="difference-before">{valueText(pair.before)}</del> → </>}
            <ins className="difference-after">{valueText(pair.after)}</ins>
          </Text>
        );
      })}
      {entries.length > shownMax && !all && <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>{t("audit.more", { count: entries.length - shownMax })}</Button>}
    </Stack>
  );
}

export function AuditPage() {
  const { values, change, clear, filtered } = useUrlState(["subject", "subjectId", "actorKind", "from", "to"]);
  const [id, setId] = useState(values.subjectId);
  const [settledId] = useDebouncedValue(id.trim(), 300);
  useEffect(() => change({ subjectId: settledId }), [settledId, change]);
  const query = {
    subject: values.subject,
    // The server needs the kind of record to find one by its id quickly.
    subjectId: values.subject === "" ? "" : values.subjectId,
    actorKind: values.actorKind,
    from: values.from && instantOf(`${values.from}T00:00:00`),
    to: values.to && instantOf(`${values.to}T23:59:59.999`),
  };
  return (
    <>
      <PageHead title={t("audit.title")} />
      <Stack>
        <Chain />
        <Group gap="sm" align="flex-end">
          <Select label={t("audit.kind")} clearable searchable value={values.subject || null} data={subjects.map((value) => ({ value, label: textOr(`subject.${value}`, value) }))} onChange={(subject) => change({ subject: subject ?? "" })} w={{ base: "100%", xs: 190 }} />
          <TextInput label={t("audit.record")} type="search" value={id} disabled={values.subject === ""} onChange={(event) => setId(event.currentTarget.value)} w={{ base: "100%", xs: 220 }} />
          <Select label={t("audit.who")} clearable value={values.actorKind || null} data={["USER", "TOKEN", "CHAT", "PROVIDER", "SYSTEM"].map((value) => ({ value, label: t(`actor.${value}` as TextKey) }))} onChange={(actorKind) => change({ actorKind: actorKind ?? "" })} w={{ base: "100%", xs: 180 }} />
          <TextInput type="date" label={t("filter.from")} value={values.from} onChange={(event) => change({ from: event.currentTarget.value })} />
          <TextInput type="date" label={t("filter.to")} value={values.to} onChange={(event) => change({ to: event.currentTarget.value })} />
        </Group>
        <CursorList<AuditRecord>
          label={t("audit.title")}
          path={path}
          query={query}
          columns={[
            { title: t("audit.what"), cell: (entry) => `${textOr(`subject.${entry.subject}`, entry.subject)}: ${textOr(`auditAction.${entry.action}`, entry.action)}` },
            { title: t("audit.changes"), cell: (entry) => <Difference changes={entry.changes as Changes} />, phone: true },
            { title: t("audit.who"), cell: (entry) => <span className="one-line">{t(`actor.${entry.actorKind}` as TextKey)}</span>, phone: true },
            { title: t("audit.when"), cell: (entry) => <span className="one-line"><When at={entry.at} /></span>, phone: true },
            { title: t("audit.sealed"), cell: (entry) => (entry.hash ? <Code className="one-line">{entry.sequence} · {entry.hash.slice(0, 8)}</Code> : t("audit.notYet")) },
          ]}
          keyOf={(entry) => entry.id}
          empty={filtered ? <NothingMatches clear={() => { setId(""); clear(); }} /> : <Empty title={t("audit.empty")} text={t("audit.emptyText")} />}
        />
      </Stack>
    </>
  );
}

/** Has the server recompute the chain, a part at a time, so that no request takes long. */
function Chain() {
  const [step, setStep] = useState<ChainStep | null>(null);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const ended = useRef(false);
  useEffect(() => () => void (ended.current = true), []);
  const verify = async () => {
    ended.current = false;
    setRunning(true);
    setError(null);
    setStep(null);
    try {
      let at = { sequence: 0, hash: "", digest: "", uncertified: 0 };
      for (;;) {
        const next: ChainStep = await api.get<ChainStep>(`${path}/verification`, { query: { after: at.sequence, hash: at.hash, digest: at.digest, uncertified: at.uncertified } });
        if (ended.current) return;
        setStep(next);
        if (next.complete || next.problem) break;
        at = next.verified;
      }
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setRunning(false);
    }
  };
  const share = step && step.head.sequence > 0 ? Math.min(100, (step.verified.sequence / step.head.sequence) * 100) : 0;
  return (
    <Paper>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" maw={640}>{t("audit.chainText")}</Text>
        <Button variant="default" leftSection={<IconShieldCheck size={16} />} loading={running} onClick={() => void verify()}>{t("audit.verify")}</Button>
      </Group>
      {running && <Progress value={share} mt="sm" aria-label={t("audit.verifying")} />}
      {error && <ErrorNotice error={error} />}
      <div role="status">
        {step?.problem && <Alert mt="sm" color="red" icon={<IconCircleX size={18} />} title={t("audit.broken")}>{step.problem}</Alert>}
        {step?.complete && !step.problem && (
          <Alert mt="sm" color="green" icon={<IconCircleCheck size={18} />} title={t("audit.intact", { count: count(step.verified.sequence) })}>
            {step.verified.hash !== "" && <><Text size="sm">{t("audit.headText")}</Text><Copyable text={step.verified.hash} /></>}
          </Alert>
        )}
      </div>
    </Paper>
  );
}
