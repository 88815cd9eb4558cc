// A form page: one column, sections, and a save bar that appears with the first change. Knows ETags and the server's
// list of wrong fields.
import { Button, Group, Stack, TextInput, type TextInputProps } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useNetwork } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { ApiError } from "../api";
import { useAction } from "../lib/action";
import { useDraft } from "../lib/drafts";
import { fieldMessage } from "../lib/field-messages";
import { moneyInput } from "../lib/format";
import { t } from "../text";
import { Copyable, ErrorNotice, sentenceOf } from "./basics";

/** For a code of an authenticator application, or a recovery code, which has letters. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label={t("signIn.code")}
      required
      autoFocus
      data-autofocus
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      {...props}
    />
  );
}

export function notifySaved(text: string = t("form.saved")): void {
  notifications.show({ message: text, color: "green" });
}

/** Says what was done and offers to take it back for a while. */
export function notifyUndo(text: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    color: "green",
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {text}
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            void attempt(() => undo().then(() => notifySaved(t("action.undone"))));
          }}
        >
          {t("action.undo")}
        </Button>
      </Group>
    ),
  });
}

/** Runs an action that has no place of its own for an error: shows the server's sentence with the request id. */
export function attempt(action: () => Promise<unknown>): Promise<unknown> {
  return action().catch((error: Error) => {
    const requestId = error instanceof ApiError ? error.requestId : "";
    notifications.show({
      title: t("error.title"),
      message: (
        <>
          {sentenceOf(error)}
          {requestId !== "" && (
            <Group gap="xs" mt={4}>
              {t("error.requestId")} <Copyable text={requestId} />
            </Group>
          )}
        </>
      ),
      color: "red",
      autoClose: 15_000,
    });
  });
}

/** Says how an amount of the currency is written: JPY has no decimals, KWD has three. */
export function amountWrong(currency: string): string {
  return t("form.amountWrong", { example: moneyInput(1250, currency) });
}

export function notifyFailed(text: string): void {
  notifications.show({ message: text, color: "red" });
}

/** Puts the server's sentences beside the fields they name. Returns whether all of them have such a field. */
function showProblems<V extends object>(form: UseFormReturnType<V>, error: ApiError): boolean {
  const fields = form.getValues() as Record<string, unknown>;
  let placed = 0;
  for (const { field, message } of error.details) {
    // A form may have a part of a record, such as `email` of `customer.email`, or a whole list.
    const parts = field.split(/[.[]/);
    const known = [field, parts.at(-1) ?? "", parts[0] ?? ""].find((name) => name in fields);
    if (known === undefined) continue;
    form.setFieldError(known, fieldMessage(message));
    ++placed;
  }
  return placed > 0 && placed === error.details.length;
}

interface FormPageProps<V extends object> {
  form: UseFormReturnType<V>;
  /** Returns false if nothing has been saved, because there is a conflict to solve first. */
  save: (values: V) => Promise<unknown>;
  isNew?: boolean;
  disabled?: boolean;
  saveLabel?: string;
  children: ReactNode;
}

export function FormPage<V extends object>({ form, save, isNew, disabled, saveLabel, children }: FormPageProps<V>) {
  const { online } = useNetwork();
  useDraft(form.isDirty());
  const saving = useAction(async (values: V) => {
    try {
      if ((await save(values)) !== false) form.resetDirty();
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || !showProblems(form, thrown)) throw thrown;
    }
  });
  const open = isNew || form.isDirty();
  const submit = form.onSubmit((values) => void saving.run(values));
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={640} gap="md">
        {children}
        {saving.error && !open && <ErrorNotice error={saving.error} />}
        {open && (
          <div className="save-bar">
            {/* Here it is seen wherever the person has scrolled to. */}
            {saving.error && <ErrorNotice error={saving.error} />}
            <Group justify="flex-end" gap="xs" mt={saving.error ? "xs" : 0}>
              {!isNew && (
                <Button variant="default" px={{ base: "xs", sm: "md" }} onClick={() => form.reset()}>
                  {t("form.discard")}
                </Button>
              )}
              <Button type="submit" px={{ base: "xs", sm: "md" }} loading={saving.busy} disabled={disabled || !online}>
                {saveLabel ?? t("form.save")}
              </Button>
            </Group>
          </div>
        )}
      </Stack>
    </form>
  );
}
