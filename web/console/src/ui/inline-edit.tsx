// A value in a table that can be changed where it stands.
import { Loader, TextInput, Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useAction } from "../lib/action";
import { useDraft } from "../lib/drafts";
import { t } from "../text";
import { sentenceOf } from "./basics";

interface InlineEditProps {
  /** What the field is and whose, for example "Price of Guild mug". */
  label: string;
  /** As a person would type it. */
  text: string;
  allowed: boolean;
  inputMode: "decimal" | "numeric";
  /** Throws an error whose sentence is shown. */
  save: (text: string) => Promise<unknown>;
  children: ReactNode;
}

export function InlineEdit({ label, text, allowed, inputMode, save, children }: InlineEditProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const saving = useAction(save);
  const error = saving.error && sentenceOf(saving.error);
  useDraft(typed !== null);
  if (!allowed) return children;
  if (typed === null) {
    return (
      <UnstyledButton className="inline-edit" onClick={() => setTyped(text)}>
        <VisuallyHidden>{t("inline.change", { name: label })}: </VisuallyHidden>
        {children} <IconPencil size={13} aria-hidden />
      </UnstyledButton>
    );
  }
  const stop = () => {
    setTyped(null);
    saving.clear();
  };
  const submit = async () => {
    if (typed.trim() === text || (await saving.run(typed.trim()))) stop();
  };
  return (
    <Tooltip label={error} opened={error !== null} color="red" multiline maw={260}>
      <TextInput
        size="xs"
        w={96}
        ml="auto"
        autoFocus
        aria-label={label}
        inputMode={inputMode}
        value={typed}
        error={error !== null}
        disabled={saving.busy}
        rightSection={saving.busy ? <Loader size={12} /> : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => error === null && void submit()}
        onKeyDown={(event) => {
          if (event.key === "Enter") void submit();
          if (event.key === "Escape") stop();
        }}
      />
    </Tooltip>
  );
}
