// Dialogs that ask before something happens that cannot be taken back, and that solve edit conflicts.
import { Alert, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { ApiError } from "../api";
import { useAction } from "../lib/action";
import { useDraft } from "../lib/drafts";
import { fieldMessage } from "../lib/field-messages";
import { same, valueAt } from "../lib/three-way";
import type { Conflict } from "../lib/versions";
import { t } from "../text";
import { Copyable, ErrorNotice } from "./basics";
import { Value, words } from "./difference";
import { Modal } from "./modal";

/** An input of a dialog that is wrong. */
export class WrongField extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** What is wrong with each field. */
function problemsOf(error: Error | null): Map<string, string> {
  if (error instanceof WrongField) return new Map([[error.field, error.message]]);
  return new Map(
    error instanceof ApiError ? error.details.map(({ field, message }) => [field, fieldMessage(message)]) : [],
  );
}

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
  /** Inputs; a function gets what is wrong with a field of the request, to show it there. */
  children?: ReactNode | ((wrong: (field: string) => string | null) => ReactNode);
}

export function ConfirmDialog({ title, text, button, danger, typed, run, close, children }: ConfirmProps) {
  const [input, setInput] = useState("");
  const { online } = useNetwork();
  const confirm = useAction(async () => {
    await run();
    close();
  });
  const problems = problemsOf(confirm.error);
  const placed = new Set<string>();
  const inputs =
    typeof children === "function"
      ? children((field) => {
          placed.add(field);
          return problems.get(field) ?? null;
        })
      : children;
  const allPlaced = problems.size > 0 && [...problems.keys()].every((field) => placed.has(field));
  return (
    <Modal onClose={close} title={title}>
      <Stack>
        <Text>{text}</Text>
        {inputs}
        {typed !== undefined && (
          <TextInput
            label={t("confirm.type", { text: typed })}
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {confirm.error && !allPlaced && <ErrorNotice error={confirm.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t("action.cancel")}
          </Button>
          <Button
            color={danger ? "red" : undefined}
            loading={confirm.busy}
            disabled={!online || (typed !== undefined && input !== typed)}
            onClick={() => void confirm.run()}
          >
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
        <Text>
          {made.link ? t("oneTimeLink.text") : t("oneTimeLink.lost")} {made.mailed && t("oneTimeLink.mailed")}
        </Text>
        {made.link && <Copyable text={made.link} />}
        <Group justify="flex-end">
          <Button onClick={close}>{t("oneTimeLink.close")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ConflictProps<T> {
  conflict: Conflict<T>;
  labels: Partial<Record<keyof T, string>>;
  /** The value of a field in words, where its own are not enough. */
  show?: (value: unknown, field: keyof T) => ReactNode;
}

/** The currency of the amounts in a version. */
function currencyOf<T extends object>(conflict: Conflict<T>, whose: "mine" | "theirs"): string | null {
  const { currency } = { ...conflict.theirs, ...conflict[whose] } as { currency?: string | null };
  return currency ?? null;
}

/** Both versions of the fields that both have changed, side by side. Says which other changes of theirs are kept. */
export function ConflictDialog<T extends object>({ conflict, labels, show }: ConflictProps<T>) {
  const { asked, base } = conflict;
  const [mine, setMine] = useState<Set<string>>(new Set(asked));
  const solving = useAction(() => conflict.solve(asked.filter((field) => mine.has(field))));
  const labelOf = (field: string) => labels[field as keyof T] ?? words(field.split(".").at(-1)!);
  const kept = base
    ? (Object.keys(labels) as (keyof T & string)[]).filter(
        (field) =>
          !asked.some((each) => each.split(".", 1)[0] === field) &&
          base[field] !== undefined &&
          !same(base[field], conflict.theirs[field]),
      )
    : [];
  const valueOf = (whose: "mine" | "theirs", field: string) => {
    const value = valueAt(conflict[whose], field);
    return show ? (
      show(value, field as keyof T)
    ) : (
      <Value subject="" field={field.split(".").at(-1)!} value={value} currency={currencyOf(conflict, whose)} />
    );
  };
  return (
    <Modal onClose={conflict.close} title={t("conflict.title")} size="lg">
      <Stack>
        <Alert color="yellow">
          {t("conflict.text")}
          {kept.length > 0 && ` ${t("conflict.kept", { fields: kept.map(labelOf).join(", ") })}`}
        </Alert>
        {asked.length > 1 && (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setMine(new Set(asked))}>
              {t("conflict.keepAllMine")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setMine(new Set())}>
              {t("conflict.takeAllTheirs")}
            </Button>
          </Group>
        )}
        {asked.map((field) => (
          <Paper key={field} component="section" p="sm" aria-label={labelOf(field)}>
            <Group justify="space-between" mb="xs">
              <Text fw={600}>{labelOf(field)}</Text>
              <SegmentedControl
                size="xs"
                aria-label={labelOf(field)}
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
                <div
                  key={whose}
                  className={mine.has(field) === (whose === "mine") ? "conflict-chosen" : "conflict-other"}
                >
                  <Text size="xs">{t(`conflict.${whose}`)}</Text>
                  <Text>{valueOf(whose, field)}</Text>
                </div>
              ))}
            </SimpleGrid>
          </Paper>
        ))}
        {solving.error && <ErrorNotice error={solving.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={conflict.close}>
            {t("action.cancel")}
          </Button>
          <Button loading={solving.busy} onClick={() => void solving.run()}>
            {t("conflict.save")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
