// The words of a message in each language, with a preview.
import {
  Badge,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { useDebouncedValue, useNetwork } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, type MessageKind, type MessageSettings, type MessageText } from "../../api";
import { useAction } from "../../lib/action";
import { useDraft } from "../../lib/drafts";
import { useVersions } from "../../lib/versions";
import { t, type TextKey } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { ConflictDialog } from "../../ui/dialogs";
import { notifySaved } from "../../ui/form";
import { MessagePreviewPanel } from "../../ui/message-preview";
import { SearchSelect } from "../../ui/search-select";

export const path = "/api/admin/messages";

type Part = "subject" | "direct" | "email";
const parts: Part[] = ["subject", "direct", "email"];
const limits: Record<Part, number> = { subject: 200, direct: 1500, email: 5000 };

export const nameOf = (kind: MessageKind) => t(`messages.kind.${kind}` as TextKey);

/** Changes single switches. They carry no version, since the server keeps everything else as it is. */
export function useChange() {
  const queries = useQueryClient();
  return useAction(async (body: object) => {
    await api.put(path, body);
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
  });
}

const offered = ["en", "de", "es", "fr", "it", "nl", "pl", "pt-BR", "ja"];
export const localesOf = (settings: MessageSettings) => [
  ...new Set([...offered, settings.effectiveLocale, ...settings.texts.map((text) => text.locale)]),
];
export const localeOption = (locale: string) => ({
  value: locale,
  label: new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language" }).of(locale) ?? locale,
});

/** The text in use: the shop's own, else the built-in one, else the English one. */
function textOf(settings: MessageSettings, kind: MessageKind, locale: string): Record<Part, string> {
  const find = (texts: MessageText[], wanted: string) =>
    texts.find((text) => text.kind === kind && text.locale === wanted);
  const own = find(settings.texts, locale);
  const fallback = find(settings.builtInTexts, locale.split("-")[0] ?? "") ?? find(settings.builtInTexts, "en");
  return {
    subject: own?.subject ?? fallback?.subject ?? "",
    direct: own?.direct ?? fallback?.direct ?? "",
    email: own?.email ?? fallback?.email ?? "",
  };
}

export function Editor({ settings, etag, kind }: { settings: MessageSettings; etag: string; kind: MessageKind }) {
  const [locale, setLocale] = useState(settings.effectiveLocale);
  const saved = textOf(settings, kind, locale);
  // What was typed, with the version that it is based on.
  const [draft, setDraft] = useState<{
    edited: Partial<Record<Part, string>>;
    saved: Record<Part, string>;
    etag: string;
  } | null>(null);
  const [medium, setMedium] = useState<"direct" | "email">("direct");
  const text = { ...(draft?.saved ?? saved), ...draft?.edited };
  const { online } = useNetwork();
  const queries = useQueryClient();
  const versions = useVersions<Record<Part, string>, MessageSettings>(
    path,
    async (changes, version, theirs) => {
      const whole = { ...(theirs ?? draft?.saved ?? saved), ...changes };
      await api.put(
        path,
        { texts: [{ kind, locale, ...Object.fromEntries(parts.map((part) => [part, whole[part].trim() || null])) }] },
        { ifMatch: version },
      );
      await queries.invalidateQueries({ queryKey: [path] });
      setDraft(null);
      notifySaved();
    },
    (all) => textOf(all, kind, locale),
  );
  const saving = useAction(() =>
    versions.save(draft?.edited ?? {}, draft?.etag ?? etag, { base: draft?.saved ?? saved }),
  );
  const change = useChange();
  const fields = useRef<Partial<Record<Part, HTMLInputElement | HTMLTextAreaElement | null>>>({});
  const last = useRef<Part>("direct");
  const about = settings.kinds.find((each) => each.kind === kind);
  const hasOwn = settings.texts.some((each) => each.kind === kind && each.locale === locale);
  const dirty = draft !== null && parts.some((part) => text[part] !== draft.saved[part]);
  useDraft(dirty);
  const [tried] = useDebouncedValue(
    JSON.stringify({
      kind,
      locale,
      ...Object.fromEntries(parts.filter((part) => text[part].trim()).map((part) => [part, text[part]])),
    }),
    300,
  );
  const preview = useQuery({
    queryKey: [`${path}/preview`, tried],
    queryFn: () => api.post<MessagePreviewData>(`${path}/preview`, JSON.parse(tried) as object),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const set = (part: Part, value: string) =>
    setDraft((before) => ({ saved, etag, ...before, edited: { ...before?.edited, [part]: value } }));
  const insert = (name: string) => {
    const part = last.current;
    const field = fields.current[part];
    const [start, end] = [field?.selectionStart ?? text[part].length, field?.selectionEnd ?? text[part].length];
    set(part, `${text[part].slice(0, start)}{${name}}${text[part].slice(end)}`);
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(start + name.length + 2, start + name.length + 2);
    });
  };
  const props = (part: Part) => ({
    label: t(`messages.${part}` as TextKey),
    value: text[part],
    maxLength: limits[part],
    onFocus: () => {
      last.current = part;
      if (part !== "subject") setMedium(part);
      else setMedium("email");
    },
    onChange: (event: { currentTarget: { value: string } }) => set(part, event.currentTarget.value),
    ref: (node: HTMLInputElement | HTMLTextAreaElement | null) => {
      fields.current[part] = node;
    },
  });
  const switchLocale = (next: string | null) => {
    if (next) {
      setLocale(next);
      setDraft(null);
    }
  };
  return (
    <>
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{ direct: t("messages.direct"), subject: t("messages.subject"), email: t("messages.email") }}
          show={(value) => <span style={{ whiteSpace: "pre-line" }}>{String(value)}</span>}
        />
      )}
      <Paper>
        <Group justify="space-between" mb="sm" align="flex-start">
          <div>
            <Title order={2} fz={16}>
              {nameOf(kind)}
            </Title>
            <Text size="sm" c="dimmed">
              {t(about?.transactional === false ? "messages.reminder" : "messages.transactional")}
            </Text>
          </div>
          <SearchSelect
            w={180}
            aria-label={t("messages.language")}
            data={localesOf(settings).map(localeOption)}
            value={locale}
            onChange={switchLocale}
          />
        </Group>
        <Stack gap="sm">
          <div>
            <Text size="sm" mb={6}>
              {t("messages.placeholders")}
            </Text>
            <Group gap={6}>
              {about?.placeholders.map((name) => (
                <Badge
                  key={name}
                  component="button"
                  type="button"
                  variant="light"
                  tt="none"
                  ff="monospace"
                  fw={500}
                  size="lg"
                  style={{ cursor: "pointer" }}
                  onClick={() => insert(name)}
                >{`{${name}}`}</Badge>
              ))}
            </Group>
          </div>
          <Textarea autosize minRows={3} maxRows={10} description={t("messages.directText")} {...props("direct")} />
          <TextInput {...props("subject")} />
          <Textarea autosize minRows={6} maxRows={16} description={t("messages.emailText")} {...props("email")} />
          {(saving.error ?? change.error) && <ErrorNotice error={(saving.error ?? change.error)!} />}
          <Group>
            <Button disabled={!dirty || !online} loading={saving.busy} onClick={() => void saving.run()}>
              {t("messages.save")}
            </Button>
            {dirty && (
              <Button variant="default" onClick={() => setDraft(null)}>
                {t("messages.discard")}
              </Button>
            )}
            {hasOwn && !dirty && (
              <Button
                variant="subtle"
                color="red"
                disabled={change.busy || !online}
                onClick={() => void change.run({ texts: [{ kind, locale }] })}
              >
                {t("messages.reset")}
              </Button>
            )}
          </Group>
        </Stack>
      </Paper>
      <Paper>
        <Group justify="space-between" mb="sm">
          <Title order={2} fz={16}>
            {t("messages.preview")}
          </Title>
          <SegmentedControl
            size="xs"
            value={medium}
            onChange={(value) => setMedium(value as "direct" | "email")}
            data={[
              { value: "direct", label: t("messages.direct") },
              { value: "email", label: t("messages.email") },
            ]}
          />
        </Group>
        {preview.error ? (
          <ErrorNotice error={preview.error} retry={() => void preview.refetch()} />
        ) : preview.data ? (
          <MessagePreviewPanel preview={preview.data} medium={medium} />
        ) : (
          <Skeleton height={160} />
        )}
      </Paper>
    </>
  );
}

type MessagePreviewData = Parameters<typeof MessagePreviewPanel>[0]["preview"];
