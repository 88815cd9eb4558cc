// Small parts that every page uses.
import {
  Alert,
  Button,
  type ButtonProps,
  Code,
  CopyButton,
  Group,
  Skeleton,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ApiError, NetworkError } from "../api";
import { fieldMessage } from "../lib/field-messages";
import { money } from "../lib/format";
import { useContentShownLater } from "../lib/idle";
import { t, textOr, type TextKey } from "../text";
import { StatusMark, type Tone, When } from "./marks";
import { useTip } from "./tip";

export { When };

export function Money({ cents, currency }: { cents: number; currency: string }) {
  return <span className="numeric">{money(cents, currency)}</span>;
}

/** An amount or number that stands alone. A long one is smaller, and breaks behind its currency rather than in it. */
export function Figure({ children }: { children: string }) {
  const [phone, desktop] = children.length > 14 ? [12, 20] : children.length > 11 ? [14, 20] : [20, 28];
  return (
    <Text fz={{ base: phone, md: desktop }} fw={600} style={{ fontVariantNumeric: "tabular-nums" }}>
      {children.replace("\u00a0", " ")}
    </Text>
  );
}

const statusTones: Record<string, Tone> = {
  PENDING_PAYMENT: "waiting",
  PAID: "good",
  FULFILLING: "info",
  SHIPPED: "info",
  COMPLETE: "good",
  CANCELLED: "neutral",
  REFUNDED: "neutral",
  PENDING: "waiting",
  LABEL_CREATED: "info",
  DELIVERED: "good",
  FAILED: "bad",
  GRANTED: "good",
  REVOKED: "neutral",
  OPENING: "waiting",
  OPEN: "waiting",
  PROCESSING: "waiting",
  EXPIRED: "neutral",
  DONE: "good",
  RECEIVED: "waiting",
  PROCESSED: "good",
  IGNORED: "neutral",
  TRIALING: "good",
  PAST_DUE: "bad",
  UNPAID: "bad",
  INCOMPLETE: "waiting",
  PAUSED: "neutral",
  DEAD: "bad",
  QUEUED: "waiting",
  SENT: "good",
  REFUSED: "bad",
  SKIPPED: "neutral",
  ACTIVE: "good",
  INACTIVE: "neutral",
  ENABLED: "good",
  DISABLED: "neutral",
  ATTENTION: "bad",
};

/** A state in people's words, with an icon and a colour that say the same. */
export function Status({ value, kind }: { value: string; kind: string }) {
  return <StatusMark tone={statusTones[value] ?? "neutral"}>{t(`${kind}.${value}` as TextKey)}</StatusMark>;
}

interface PageHeadProps {
  title: string;
  status?: ReactNode;
  actions?: ReactNode;
  /** The page's main action: the last one on a desktop, at the thumb on a phone. */
  primary?: ReactNode;
  back?: { href: string; label: string };
}

export function PageHead({ title, status, actions, primary, back }: PageHeadProps) {
  useDocumentTitle(`${title} · Guildhall`);
  useContentShownLater();
  return (
    <Stack gap={4} mb="lg">
      {back && (
        <Text size="sm">
          <Link href={back.href}>← {back.label}</Link>
        </Text>
      )}
      <Group justify="space-between" align="center" gap="sm">
        <Group gap="sm" align="center">
          <Title order={1} className="break-anywhere" fz={{ base: 20, md: 28 }}>
            {title}
          </Title>
          {status}
        </Group>
        {(actions || primary) && (
          <Group gap="xs">
            {actions}
            {primary && <div className="thumb">{primary}</div>}
          </Group>
        )}
      </Group>
    </Stack>
  );
}

interface UnavailableProps {
  query: { error: Error | null; refetch: () => unknown };
  title?: string;
  back?: { href: string; label: string };
}

/** Takes the place of a page whose record is not there: a skeleton while it is read, then the reason and a way back. */
export function Unavailable({ query: { error, refetch }, title, back }: UnavailableProps) {
  if (!error)
    return (
      <Stack>
        <Skeleton height={36} width={220} />
        <Skeleton height={240} />
        <Skeleton height={160} />
      </Stack>
    );
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <PageHead title={title ?? t(missing ? "record.missing" : "record.unavailable")} {...(back && { back })} />
      {missing ? <Text>{t("record.missingText")}</Text> : <ErrorNotice error={error} retry={() => void refetch()} />}
    </>
  );
}

const permissionKey = /\b(data\.(read|write)|admin\.access|TenantAdmin|TenantStaff|PlatformAdmin)\b/;

/** What went wrong: the console's own sentence, or else the server's, unless that names a permission by its key. */
export function sentenceOf(error: Error): string {
  if (error instanceof NetworkError) return t("error.unreachable");
  if (!(error instanceof ApiError)) return error.message;
  return textOr(
    `failure.${error.code}`,
    permissionKey.test(error.message) ? t("failure.PERMISSION_KEY") : error.message,
  );
}

/** Shows the server's sentence, the request id to quote, and a way to try again. */
export function ErrorNotice({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : "";
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t("error.title")} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{sentenceOf(error)}</Text>
        {error instanceof ApiError &&
          error.details.map(({ field, message }) => (
            <Text key={field} size="sm">
              {textOr(`field.${field}`, field)}: {fieldMessage(message)}
            </Text>
          ))}
        {requestId !== "" && (
          <Group gap="xs">
            <Text size="sm">{t("error.requestId")}</Text>
            <Copyable text={requestId} />
          </Group>
        )}
        {retry && (
          <Button size="xs" variant="light" color="red" leftSection={<IconRefresh size={14} />} onClick={retry}>
            {t("action.tryAgain")}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

export function Copyable({ text }: { text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Group gap={4}>
          <Code className="break-anywhere">{text}</Code>
          <Button size="compact-xs" variant="subtle" onClick={copy}>
            {copied ? t("action.copied") : t("action.copy")}
          </Button>
          <VisuallyHidden aria-live="polite">{copied ? t("action.copied") : ""}</VisuallyHidden>
        </Group>
      )}
    </CopyButton>
  );
}

export function Empty({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} ta="center">
      <Title order={2} fz={16}>
        {title}
      </Title>
      <Text c="dimmed" maw={420}>
        {text}
      </Text>
      {action}
    </Stack>
  );
}

interface GuardedButtonProps extends ButtonProps {
  allowed: boolean;
  /** Why it cannot be used; by default that a right is missing. */
  reason?: string;
  /** A button with an address is a link. */
  href?: string;
  onClick?: () => void;
}

/** A button that says why it cannot be used instead of disappearing: it stays reachable by keyboard and pointer. */
export function GuardedButton({ allowed, reason, href, onClick, ...button }: GuardedButtonProps) {
  if (allowed) {
    return href === undefined ? (
      <Button {...button} onClick={onClick} />
    ) : (
      <Button {...button} component={Link} href={href} />
    );
  }
  return <DisabledButton {...button} reason={reason ?? t("permission.missing")} />;
}

function DisabledButton({ reason, ...button }: ButtonProps & { reason: string }) {
  const { props, tooltip } = useTip(reason);
  return (
    <>
      <Button {...button} {...props} data-disabled aria-disabled onClick={(event) => event.preventDefault()} />
      {tooltip}
    </>
  );
}

export function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
