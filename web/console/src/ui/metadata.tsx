// The texts that programs keep with a record under keys of their own. Each change is stored at once; the server merges it by key.
import { ActionIcon, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api";
import { t } from "../text";
import { GuardedButton } from "./basics";
import { attempt, FormPage, notifyUndo } from "./form";
import { Modal } from "./modal";

interface MetadataProps {
  /** The address of the record. */
  path: string;
  metadata: Record<string, string>;
  allowed: boolean;
  /** The form of the page has changes, which reading the record again would discard. */
  dirty?: boolean;
}

export function Metadata({ path, metadata, allowed, dirty = false }: MetadataProps) {
  const queries = useQueryClient();
  const [edited, setEdited] = useState<string | null>(null);
  const change = async (changes: Record<string, string | null>) => {
    await api.patch(path, { metadata: changes });
    await queries.invalidateQueries({ queryKey: [path] });
  };
  const remove = async (key: string) => {
    await change({ [key]: null });
    notifyUndo(t("metadata.removed", { key }), () => change({ [key]: metadata[key] ?? "" }));
  };
  const entries = Object.entries(metadata);
  return (
    <Paper data-metadata>
      <Group justify="space-between" mb={4}>
        <Title order={2} fz={16}>
          {t("metadata.title")}
        </Title>
        <GuardedButton
          allowed={allowed && !dirty}
          {...(dirty && { reason: t("metadata.saveFirst") })}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setEdited("")}
        >
          {t("metadata.add")}
        </GuardedButton>
      </Group>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("metadata.text")}
        </Text>
      )}
      <Stack gap="xs">
        {entries.map(([key, value]) => (
          <Group key={key} justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" c="dimmed" className="break-anywhere">
                {key}
              </Text>
              <Text size="sm" lineClamp={4} className="break-anywhere">
                {value}
              </Text>
            </div>
            {allowed && !dirty && (
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t("metadata.change", { key })}
                  onClick={() => setEdited(key)}
                >
                  <IconPencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  size="lg"
                  aria-label={t("metadata.remove", { key })}
                  onClick={() => attempt(() => remove(key))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
      {edited !== null && (
        <EntryDialog name={edited} metadata={metadata} change={change} close={() => setEdited(null)} />
      )}
    </Paper>
  );
}

interface EntryDialogProps {
  /** The key whose value is changed; empty: a new one. */
  name: string;
  metadata: Record<string, string>;
  change: (changes: Record<string, string | null>) => Promise<unknown>;
  close: () => void;
}

function EntryDialog({ name, metadata, change, close }: EntryDialogProps) {
  const isNew = name === "";
  const form = useForm({
    initialValues: { key: name, value: metadata[name] ?? "" },
    validate: {
      key: (key) =>
        key.trim() === "" ? t("metadata.keyMissing") : isNew && key.trim() in metadata ? t("metadata.keyTaken") : null,
    },
  });
  return (
    <Modal onClose={close} title={t(isNew ? "metadata.add" : "metadata.changeTitle")}>
      <FormPage
        form={form}
        isNew
        saveLabel={t("form.save")}
        save={async ({ key, value }) => {
          await change({ [key.trim()]: value });
          close();
        }}
      >
        <TextInput
          label={t("metadata.key")}
          required
          maxLength={40}
          disabled={!isNew}
          data-autofocus={isNew || undefined}
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps("key")}
        />
        <TextInput
          label={t("metadata.value")}
          data-autofocus={!isNew || undefined}
          spellCheck={false}
          {...form.getInputProps("value")}
        />
      </FormPage>
    </Modal>
  );
}
