// Dialogs that ask before something happens that cannot be taken back, and that solve edit conflicts.
import { Alert, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { useAction } from "../lib/action";
import { useDraft } from "../lib/drafts";
import { t } from "../text";
import { Copyable, ErrorNotice } from "./basics";
import { Modal } from "./modal";

interface ConfirmProps {
  title: string;
  /** One sentence: what will happen, and to whose money. */
  text: string;
  button: string;
  danger?: boolean;
  /** When given, the person types this first. */
  typed?: string;
  run: () => Promise<unknown>;
  close: () => void;
  children?: ReactNode;
}

export function ConfirmDialog({ title, text, button, danger, typed, run, close, children }: ConfirmProps) {
  const [input, setInput] = useState("");
  const { online } = useNetwork();
  const confirm = useAction(async () => {
    await run();
    close();
  });
  return (
    <Modal onClose={close} title={title}>
      <Stack>
        <Text>{text}</Text>
        {children}
        {typed !== undefined && (
          <TextInput
            label={t("confirm.type", { text: typed })}
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {confirm.error && <ErrorNotice error={confirm.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t("action.cancel")}
          </Button>
          <Button color={danger ? "red" : undefined} loading={confirm.busy} disabled={!online || (typed !== undefined && input !== typed)} onClick={() => void confirm.run()}>
            {button}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface OneTimeLinkProps {
  title: string;
  made: { link?: string | null; mailed: boolean };
  close: () => void;
}

/** A link that the server shows once. The dialog closes only with its button, so that no stray click loses the link. */
export function OneTimeLinkDialog({ title, made, close }: OneTimeLinkProps) {
  useDraft(true);
  return (
    <Modal onClose={close} title={title} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false}>
      <Stack>
        <Text>{made.link ? t("oneTimeLink.text") : t("oneTimeLink.lost")} {made.mailed && t("oneTimeLink.mailed")}</Text>
        {made.link && <Copyable text={made.link} />}
        <Group justify="flex-end">
          <Button onClick={close}>{t("oneTimeLink.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

export interface Conflict<T> {
  mine: Partial<T>;
  theirs: T;
  etag: string;
}

interface ConflictProps<T> {
  conflict: Conflict<T>;
  labels: Partial<Record<keyof T, string>>;
  show: (value: unknown) => string;
  /** Called with the chosen values, to be saved on top of the other person's version. */
  solve: (chosen: Partial<T>, etag: string) => void;
  close: () => void;
}

/** Both versions side by side, field by field. */
export function ConflictDialog<T extends object>({ conflict, labels, show, solve, close }: ConflictProps<T>) {
  const fields = (Object.keys(conflict.mine) as (keyof T)[]).filter(
    (field) => JSON.stringify(conflict.mine[field]) !== JSON.stringify(conflict.theirs[field]),
  );
  const [mine, setMine] = useState<Set<keyof T>>(new Set(fields));
  const chosen = Object.fromEntries(fields.filter((field) => mine.has(field)).map((field) => [field, conflict.mine[field]]));
  return (
    <Modal onClose={close} title={t("conflict.title")} size="lg">
      <Stack>
        <Alert color="yellow">{t("conflict.text")}</Alert>
        {fields.length > 1 && (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setMine(new Set(fields))}>{t("conflict.keepAllMine")}</Button>
            <Button size="compact-sm" variant="default" onClick={() => setMine(new Set())}>{t("conflict.takeAllTheirs")}</Button>
          </Group>
        )}
        {fields.map((field) => (
          <Paper key={String(field)} component="section" p="sm" aria-label={labels[field] ?? String(field)}>
            <Group justify="space-between" mb="xs">
              <Text fw={600}>{labels[field] ?? String(field)}</Text>
              <SegmentedControl
                size="xs"
                aria-label={labels[field] ?? String(field)}
                value={mine.has(field) ? "mine" : "theirs"}
                data={[
                  { value: "mine", label: t("conflict.keepMine") },
                  { value: "theirs", label: t("conflict.takeTheirs") },
                ]}
                onChange={(value) =>
                  setMine((before) => {
                    const next = new Set(before);
                    if (value === "mine") next.add(field);
                    else next.delete(field);
                    return next;
                  })
                }
              />
            </Group>
            <SimpleGrid cols={2}>
              {(["mine", "theirs"] as const).map((whose) => (
                <div key={whose} className={mine.has(field) === (whose === "mine") ? "conflict-chosen" : "conflict-other"}>
                  <Text size="xs">{t(`conflict.${whose}`)}</Text>
                  <Text className="break-anywhere">{show(conflict[whose][field])}</Text>
                </div>
              ))}
            </SimpleGrid>
          </Paper>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t("action.cancel")}
          </Button>
          <Button onClick={() => solve(chosen as Partial<T>, conflict.etag)}>{t("conflict.save")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
