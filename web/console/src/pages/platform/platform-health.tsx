// The state of the installation: doctor's findings, the nodes, and the backups.
import { Alert, Button, Code, Collapse, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconAlertTriangle,
  IconChevronDown,
  IconChevronUp,
  IconCircleCheck,
  IconCircleX,
  IconDatabaseExport,
  IconRefresh,
  IconWorld,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { newIdempotencyKey } from "@guildhall/client";
import { useState } from "react";
import {
  api,
  type BackupList,
  type DoctorReport,
  type Finding,
  type NodeList,
  type PlatformNode,
  type RequestedBackup,
  type StoredBackup,
} from "../../api";
import { useAction } from "../../lib/action";
import { fileSize } from "../../lib/format";
import { t } from "../../text";
import { Empty, ErrorNotice, When } from "../../ui/basics";
import { List } from "../../ui/list";
import { StatusMark } from "../../ui/marks";

const base = "/api/admin/platform";
const icons = { ok: IconCircleCheck, warning: IconAlertTriangle, problem: IconCircleX };
const colors = { ok: "green", warning: "yellow", problem: "red" };

export function Doctor() {
  const [online, setOnline] = useState(false);
  const report = useQuery({
    queryKey: [`${base}/doctor`, online],
    queryFn: ({ signal }) => api.get<DoctorReport>(`${base}/doctor`, { query: { online }, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const check = (other: boolean) => (other === online ? void report.refetch() : setOnline(other));
  const findings = report.data?.findings ?? [];
  const bad = [
    ...findings.filter(({ level }) => level === "problem"),
    ...findings.filter(({ level }) => level === "warning"),
  ];
  return (
    <Paper>
      <Group justify="space-between" align="flex-start" mb="md">
        <div style={{ flex: "1 1 260px" }}>
          <Title order={2} fz={16}>
            {t("doctor.title")}
          </Title>
          <Text c="dimmed">{t("doctor.text")}</Text>
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconWorld size={16} />}
            loading={report.isFetching && online}
            onClick={() => check(true)}
          >
            {t("doctor.online")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={report.isFetching && !online}
            onClick={() => check(false)}
          >
            {t("doctor.again")}
          </Button>
        </Group>
      </Group>
      {report.error && <ErrorNotice error={report.error} retry={() => void report.refetch()} />}
      {report.isLoading && <Skeleton height={120} />}
      {report.data && (
        <Stack gap="md" aria-live="polite">
          {bad.length === 0 && (
            <FindingLine
              finding={{ level: "ok", check: t("doctor.well"), message: t("doctor.wellText"), advice: "" }}
            />
          )}
          {bad.map((finding, index) => (
            <FindingLine key={index} finding={finding} />
          ))}
          <Passed findings={findings.filter(({ level }) => level === "ok")} />
        </Stack>
      )}
    </Paper>
  );
}

function FindingLine({ finding }: { finding: Finding }) {
  const Icon = icons[finding.level];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Icon
        size={20}
        color={`var(--mantine-color-${colors[finding.level]}-text)`}
        aria-label={t(`doctor.level.${finding.level}`)}
        style={{ flex: "none", marginTop: 1 }}
      />
      <div className="break-anywhere">
        <Text>
          <Text span fw={600}>
            {finding.check}
          </Text>
          : {finding.message}
        </Text>
        {finding.advice !== "" && (
          <Text size="sm" c="dimmed">
            {finding.advice}
          </Text>
        )}
      </div>
    </Group>
  );
}

function Passed({ findings }: { findings: Finding[] }) {
  const [opened, { toggle }] = useDisclosure(false);
  if (findings.length === 0) return null;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        aria-expanded={opened}
        rightSection={opened ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        onClick={toggle}
      >
        {t("doctor.passed", { count: findings.length })}
      </Button>
      <Collapse in={opened}>
        <Stack gap="xs" pt="sm">
          {findings.map((finding, index) => (
            <FindingLine key={index} finding={finding} />
          ))}
        </Stack>
      </Collapse>
    </div>
  );
}

export function Nodes() {
  const path = `${base}/nodes`;
  const nodes = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<NodeList>(path, { signal }),
    refetchInterval: 20_000,
  });
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>
        {t("nodes.title")}
      </Title>
      <List<PlatformNode>
        label={t("nodes.title")}
        columns={[
          {
            title: t("nodes.host"),
            cell: (node) => (
              <>
                {node.host}{" "}
                {node.isThisNode && (
                  <Text span size="sm" c="dimmed">
                    {t("nodes.this")}
                  </Text>
                )}
              </>
            ),
          },
          {
            title: t("nodes.state"),
            cell: (node) => (
              <StatusMark tone={node.isAlive ? "good" : "bad"}>
                {t(node.isAlive ? "nodes.alive" : "nodes.silent")}
              </StatusMark>
            ),
            phone: true,
          },
          { title: t("nodes.address"), cell: (node) => <Code>{node.address}</Code>, phone: true },
          { title: t("settings.version"), cell: (node) => node.version },
          { title: t("platform.started"), cell: (node) => <When at={node.startedAt} /> },
          { title: t("nodes.seen"), cell: (node) => <When at={node.lastSeenAt} /> },
        ]}
        items={nodes.data?.items}
        keyOf={(node) => node.id}
        error={nodes.error}
        retry={() => void nodes.refetch()}
        empty={<Empty title={t("nodes.empty")} text={t("nodes.emptyText")} />}
      />
    </Stack>
  );
}

export function Backups() {
  const path = `${base}/backups`;
  const isRunning = (list: BackupList | undefined) => list?.requested?.status === "RUNNING";
  const backups = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.get<BackupList>(path, { signal }),
    refetchInterval: (query) => (isRunning(query.state.data) ? 1_000 : false),
  });
  const request = useAction(async () => {
    await api.post(path, undefined, { idempotencyKey: newIdempotencyKey() });
    await backups.refetch();
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} fz={16}>
          {t("backups.title")}
        </Title>
        <Button
          variant="default"
          leftSection={<IconDatabaseExport size={16} />}
          loading={request.busy || isRunning(backups.data)}
          disabled={!backups.data}
          onClick={() => void request.run()}
        >
          {t("backups.now")}
        </Button>
      </Group>
      {backups.data && (
        <Text c="dimmed" className="break-anywhere">
          {t("backups.text")} <Code>{backups.data.folder}</Code>. {t("backups.keep", { count: backups.data.keep })}
        </Text>
      )}
      {request.error && <ErrorNotice error={request.error} />}
      <div role="status">{backups.data?.requested && <RequestedResult backup={backups.data.requested} />}</div>
      <List<StoredBackup>
        label={t("backups.title")}
        columns={[
          { title: t("backups.made"), cell: (backup) => <When at={backup.createdAt} /> },
          { title: t("backups.size"), cell: (backup) => fileSize(backup.bytes), numeric: true, phone: true },
          { title: t("backups.state"), cell: (backup) => <BackupState backup={backup} />, phone: true },
          { title: t("backups.file"), cell: (backup) => <Code>{backup.name}</Code> },
        ]}
        items={backups.data?.items}
        keyOf={(backup) => backup.name}
        error={backups.error}
        retry={() => void backups.refetch()}
        empty={
          <Empty title={t("backups.empty")} text={t("backups.emptyText")} action={<Code>guildhall backup</Code>} />
        }
      />
    </Stack>
  );
}

function RequestedResult({ backup }: { backup: RequestedBackup }) {
  if (backup.status === "RUNNING") return <Text>{t("backups.running")}</Text>;
  const failed = backup.status === "FAILED";
  return (
    <Alert
      color={failed ? "red" : "green"}
      icon={failed ? <IconCircleX size={18} /> : <IconCircleCheck size={18} />}
      title={t(failed ? "backups.failed" : "backups.done")}
      className="break-anywhere"
    >
      {failed ? (
        backup.error
      ) : (
        <>
          {backup.file} ({fileSize(backup.bytes ?? 0)})
        </>
      )}{" "}
      · <When at={backup.finishedAt ?? backup.startedAt} />
    </Alert>
  );
}

function BackupState({ backup }: { backup: StoredBackup }) {
  if (backup.verified) return <StatusMark tone="good">{t("backups.verified")}</StatusMark>;
  if (backup.encrypted) return <StatusMark tone="neutral">{t("backups.encrypted")}</StatusMark>;
  return <StatusMark tone="bad">{t("backups.unreadable")}</StatusMark>;
}
