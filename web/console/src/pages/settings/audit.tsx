import { Alert, Button, Code, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconShieldCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { api, type AuditRecord, type ChainStep } from "../../api";
import { valuesOf } from "../../enums";
import { useAction } from "../../lib/action";
import { count } from "../../lib/format";
import type { NamedKind } from "../../lib/names";
import { useUrlState } from "../../lib/url-state";
import { t, textOr } from "../../text";
import { Copyable, Empty, ErrorNotice, PageHead, When } from "../../ui/basics";
import { Difference, type Changes } from "../../ui/difference";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { CursorList, NothingMatches } from "../../ui/list";
import { ActorName, RecordLink } from "../../ui/record-name";

const path = "/api/admin/audit";
const subjects = [
  "order",
  "product",
  "discount",
  "customer",
  "user",
  "grants",
  "role",
  "invitation",
  "payment",
  "payment-method",
  "refund",
  "shipment",
  "entitlement",
  "fundConfig",
  "fundContribution",
  "fundDisbursement",
  "settings",
  "branding",
  "tenant",
  "webhook-endpoint",
  "outbox-message",
];

/** What was changed, with the name of the record where it has one. */
function Subject({ entry }: { entry: AuditRecord }) {
  const kind = textOr(`subject.${entry.subject}`, entry.subject);
  const named = ["order", "product", "customer", "user"].find((each) => each === entry.subject) as
    | NamedKind
    | undefined;
  return (
    <>
      {kind} {named && <RecordLink kind={named} id={entry.subjectId} />}
      <Text size="sm" c="dimmed" fw={400}>
        {textOr(`auditAction.${entry.action}`, entry.action)}
      </Text>
    </>
  );
}

const filters: Filter[] = [
  {
    key: "subject",
    label: t("audit.kind"),
    kind: "choice",
    quick: true,
    data: subjects.map((value) => ({ value, label: textOr(`subject.${value}`, value) })),
  },
  {
    key: "actorKind",
    label: t("audit.who"),
    kind: "choice",
    quick: true,
    data: choicesOf("actor", valuesOf("AuditRecord", "actorKind")),
  },
  { key: "subjectId", label: t("audit.record"), kind: "text" },
  { key: "from", label: t("filter.from"), kind: "from" },
  { key: "to", label: t("filter.to"), kind: "to" },
];
const keys = filters.map((filter) => filter.key);

export function AuditPage() {
  const { values, change, clear, filtered } = useUrlState(keys);
  // The server needs the kind of record to find one by its id quickly.
  const used = filters.filter((filter) => filter.key !== "subjectId" || values["subject"]);
  return (
    <>
      <PageHead title={t("audit.title")} />
      <Stack gap="xs">
        <Chain />
        <FilterBar filters={used} values={values} change={change} />
        <CursorList<AuditRecord>
          label={t("audit.title")}
          path={path}
          query={queryOf(used, values)}
          columns={[
            { title: t("audit.what"), cell: (entry) => <Subject entry={entry} /> },
            {
              title: t("audit.changes"),
              cell: (entry) => (
                <Difference subject={entry.subject} subjectId={entry.subjectId} changes={entry.changes as Changes} />
              ),
              phone: true,
              line: true,
            },
            {
              title: t("audit.who"),
              cell: (entry) => <ActorName kind={entry.actorKind} id={entry.actorId} />,
              phone: true,
            },
            {
              title: t("audit.when"),
              cell: (entry) => (
                <span className="one-line">
                  <When at={entry.at} />
                </span>
              ),
              phone: true,
            },
            {
              title: t("audit.sealed"),
              cell: (entry) =>
                entry.hash ? (
                  <Code className="one-line">
                    {entry.sequence} · {entry.hash.slice(0, 8)}
                  </Code>
                ) : (
                  t("audit.notYet")
                ),
            },
          ]}
          keyOf={(entry) => entry.id}
          empty={
            filtered ? <NothingMatches clear={clear} /> : <Empty title={t("audit.empty")} text={t("audit.emptyText")} />
          }
        />
      </Stack>
    </>
  );
}

/** Has the server recompute the chain, a part at a time, so that no request takes long. */
function Chain() {
  const [step, setStep] = useState<ChainStep | null>(null);
  const ended = useRef(false);
  useEffect(() => () => void (ended.current = true), []);
  const verification = useAction(async () => {
    ended.current = false;
    setStep(null);
    let at = { sequence: 0, hash: "", digest: "", uncertified: 0 };
    for (;;) {
      const next: ChainStep = await api.get<ChainStep>(`${path}/verification`, {
        query: { after: at.sequence, hash: at.hash, digest: at.digest, uncertified: at.uncertified },
      });
      if (ended.current) return;
      setStep(next);
      if (next.complete || next.problem) break;
      at = next.verified;
    }
  });
  const share = step && step.head.sequence > 0 ? Math.min(100, (step.verified.sequence / step.head.sequence) * 100) : 0;
  return (
    <Paper>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" maw={640}>
          {t("audit.chainText")}
        </Text>
        <Button
          variant="default"
          leftSection={<IconShieldCheck size={16} />}
          loading={verification.busy}
          onClick={() => void verification.run()}
        >
          {t("audit.verify")}
        </Button>
      </Group>
      {verification.busy && <Progress value={share} mt="sm" aria-label={t("audit.verifying")} />}
      {verification.error && <ErrorNotice error={verification.error} />}
      <div role="status">
        {step?.problem && (
          <Alert mt="sm" color="red" icon={<IconCircleX size={18} />} title={t("audit.broken")}>
            {step.problem}
          </Alert>
        )}
        {step?.complete && !step.problem && (
          <Alert
            mt="sm"
            color="green"
            icon={<IconCircleCheck size={18} />}
            title={t("audit.intact", { count: count(step.verified.sequence) })}
          >
            {step.verified.hash !== "" && (
              <>
                <Text size="sm">{t("audit.headText")}</Text>
                <Copyable text={step.verified.hash} />
              </>
            )}
          </Alert>
        )}
      </div>
    </Paper>
  );
}
