// The part of the people page about roles: named sets of rights, in words.
import { Button, Checkbox, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type CustomRole, type RoleList } from "../../api";
import { rights, roles as builtIn } from "../../lib/roles";
import { useVersions } from "../../lib/versions";
import { t, textOr } from "../../text";
import { ErrorNotice, GuardedButton } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { Modal } from "../../ui/modal";
import { RightsInput } from "../../ui/rights-input";
import { isRowClick } from "../../ui/row-open";

const path = "/api/admin/roles";

export function useCustomRoles() {
  return useQuery({ queryKey: [path], queryFn: () => api.get<RoleList>(path).then((list) => list.items) });
}

/** The rights of a role as a sentence; the shop's own keys are named as they are. */
export function rightsText(keys: string[]): string {
  return keys.map((key) => textOr(`right.${key}`, key)).join(" ") || t("roles.nothing");
}

export function Roles() {
  const roles = useCustomRoles();
  const [edited, setEdited] = useState<CustomRole | "new" | null>(null);
  const [deleted, setDeleted] = useState<CustomRole | null>(null);
  const queries = useQueryClient();
  if (roles.error) return <ErrorNotice error={roles.error} retry={() => void roles.refetch()} />;
  return (
    <section aria-labelledby="roles">
      <Group justify="space-between" mt="xl" mb="sm">
        <Title order={2} fz={16} id="roles">
          {t("roles.title")}
        </Title>
        <GuardedButton
          allowed
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setEdited("new")}
        >
          {t("roles.add")}
        </GuardedButton>
      </Group>
      <Paper>
        <Stack gap="md">
          {builtIn.map((role) => (
            <div key={role}>
              <Text fw={600}>{t(`role.${role}`)}</Text>
              <Text size="sm" c="dimmed">
                {t(`roleText.${role}`)}
              </Text>
            </div>
          ))}
          {roles.data?.map((role) => (
            <Group
              key={role.name}
              justify="space-between"
              align="flex-start"
              data-role={role.name}
              style={{ cursor: "pointer" }}
              onClick={(event) => isRowClick(event) && setEdited(role)}
            >
              <div style={{ flex: 1, minWidth: 200 }}>
                <Text fw={600} className="break-anywhere">
                  {role.name}
                </Text>
                {role.description && <Text size="sm">{role.description}</Text>}
                <Text size="sm" c="dimmed">
                  {rightsText(role.keys)}
                </Text>
              </div>
              <Group gap="xs">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t("roles.editLabel", { name: role.name })}
                  onClick={() => setEdited(role)}
                >
                  {t("order.edit")}
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={t("roles.deleteLabel", { name: role.name })}
                  onClick={() => setDeleted(role)}
                >
                  {t("roles.delete")}
                </Button>
              </Group>
            </Group>
          ))}
        </Stack>
      </Paper>
      {edited && <RoleDialog role={edited === "new" ? null : edited} close={() => setEdited(null)} />}
      {deleted && (
        <ConfirmDialog
          danger
          typed={deleted.name}
          title={t("roles.deleteLabel", { name: deleted.name })}
          text={t("roles.deleteText", { name: deleted.name })}
          button={t("roles.delete")}
          run={async () => {
            await api.delete(`${path}/${encodeURIComponent(deleted.name)}`);
            await queries.invalidateQueries({ queryKey: [path] });
            notifySaved();
          }}
          close={() => setDeleted(null)}
        />
      )}
    </section>
  );
}

/** Adds a role, or changes one, on the basis of its present version. */
function RoleDialog({ role, close }: { role: CustomRole | null; close: () => void }) {
  const one = `${path}/${encodeURIComponent(role?.name ?? "")}`;
  const present = useQuery({
    queryKey: [one],
    queryFn: () => api.read<CustomRole>(one),
    enabled: role !== null,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Modal onClose={close} title={role ? t("roles.editLabel", { name: role.name }) : t("roles.add")}>
      {present.error && <ErrorNotice error={present.error} retry={() => void present.refetch()} />}
      {(role === null || present.data) && (
        <RoleForm
          key={present.data?.etag}
          role={present.data?.record ?? null}
          etag={present.data?.etag ?? ""}
          close={close}
        />
      )}
    </Modal>
  );
}

function RoleForm({ role, etag, close }: { role: CustomRole | null; etag: string; close: () => void }) {
  const queries = useQueryClient();
  const isRight = (key: string) => rights.some((right) => right === key);
  const form = useForm({
    initialValues: {
      name: role?.name ?? "",
      description: role?.description ?? "",
      rights: role?.keys.filter(isRight) ?? [],
      keys: role?.keys.filter((key) => !isRight(key)) ?? [],
    },
  });
  const bodyOf = (values: typeof form.values) => ({
    description: values.description.trim() || null,
    keys: [...values.rights, ...values.keys],
  });
  const one = `${path}/${encodeURIComponent(role?.name ?? "")}`;
  const versions = useVersions<CustomRole>(one, async (changes, version) => {
    if (role) await api.patch(one, changes, { ifMatch: version });
    else await api.post(path, { ...changes, name: form.values.name.trim() });
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
    close();
  });
  return (
    <FormPage
      form={form}
      isNew
      saveLabel={role ? undefined : t("roles.add")}
      save={(values) =>
        versions.save(bodyOf(values), etag, role ? { base: role, before: bodyOf(form.getInitialValues()) } : {})
      }
    >
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{ description: t("roles.description"), keys: t("roles.may") }}
          show={(value) => (Array.isArray(value) ? rightsText(value) : String(value ?? "–"))}
        />
      )}
      {!role && (
        <TextInput
          label={t("roles.name")}
          description={t("roles.nameText")}
          required
          data-autofocus
          autoCapitalize="none"
          {...form.getInputProps("name")}
        />
      )}
      <TextInput label={t("roles.description")} {...form.getInputProps("description")} />
      <Checkbox.Group label={t("roles.may")} {...form.getInputProps("rights")}>
        <Stack gap="sm" mt="xs">
          {rights.map((right) => (
            <Checkbox key={right} value={right} label={t(`right.${right}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <RightsInput label={t("people.ownKeys")} description={t("people.ownKeysText")} {...form.getInputProps("keys")} />
      {role && (
        <Text size="sm" c="dimmed">
          {t("roles.changeText")}
        </Text>
      )}
    </FormPage>
  );
}
