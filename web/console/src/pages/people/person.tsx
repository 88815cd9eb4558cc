import { Button, Checkbox, Grid, Paper, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import { api, type CreatedPasswordReset, type CustomRole, type User, type UserGrants } from "../../api";
import { useAction } from "../../lib/action";
import { useRecord } from "../../lib/record";
import { mayGive, rightName, roles } from "../../lib/roles";
import { useVersions } from "../../lib/versions";
import { useSession } from "../../session";
import { t } from "../../text";
import { ErrorNotice, GuardedButton, PageHead, Unavailable } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog, OneTimeLinkDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { RightsInput } from "../../ui/rights-input";
import { rightsText, useCustomRoles } from "./roles";

export function PersonPage() {
  const id = useParams<{ id: string }>().id;
  const record = useRecord<User>("/api/data/user", id, "/people");
  if (!record.current.data)
    return <Unavailable query={record.current} back={{ href: "/people", label: t("people.title") }} />;
  const user = record.current.data.record;
  return <Person key={user.updatedAt} user={user} record={record} />;
}

function Person({ user, record }: { user: User; record: ReturnType<typeof useRecord<User>> }) {
  const { session } = useSession();
  const [open, setOpen] = useState<"delete" | "sessions" | "factor" | null>(null);
  const own = session.user.userId === user.id;
  const form = useForm({
    initialValues: { displayName: user.displayName, username: user.username, email: user.email ?? "" },
  });
  return (
    <>
      <PageHead
        back={{ href: "/people", label: t("people.title") }}
        title={user.displayName}
        actions={
          <>
            <GuardedButton
              allowed={!own}
              reason={t("people.ownRecord")}
              variant="default"
              onClick={() => setOpen("delete")}
            >
              {t("people.delete")}
            </GuardedButton>
            <GuardedButton
              allowed={!own}
              reason={t("people.ownFactor")}
              variant="default"
              onClick={() => setOpen("factor")}
            >
              {t("people.removeFactor")}
            </GuardedButton>
            <GuardedButton allowed variant="default" onClick={() => setOpen("sessions")}>
              {t("people.endSessions")}
            </GuardedButton>
          </>
        }
      />
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <FormPage form={form} save={(values) => record.change({ ...values, email: values.email || null })}>
            <Paper>
              <Stack>
                <TextInput label={t("people.name")} required {...form.getInputProps("displayName")} />
                <TextInput label={t("signIn.username")} required {...form.getInputProps("username")} />
                <TextInput label={t("customer.email")} type="email" {...form.getInputProps("email")} />
              </Stack>
            </Paper>
          </FormPage>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Grants user={user} />
            <Password user={user} />
          </Stack>
        </Grid.Col>
      </Grid>
      {open === "delete" && (
        <ConfirmDialog
          danger
          typed={user.username}
          title={t("people.delete")}
          text={t("people.deleteText", { name: user.displayName })}
          button={t("people.delete")}
          run={record.remove}
          close={() => setOpen(null)}
        />
      )}
      {open === "sessions" && (
        <ConfirmDialog
          title={t("people.endSessions")}
          text={t("people.endSessionsText", { name: user.displayName })}
          button={t("people.endSessions")}
          run={() => api.delete(`/api/data/user/${encodeURIComponent(user.id)}/sessions`).then(() => notifySaved())}
          close={() => setOpen(null)}
        />
      )}
      {open === "factor" && (
        <ConfirmDialog
          danger
          title={t("people.removeFactor")}
          text={t("people.removeFactorText", { name: user.displayName })}
          button={t("people.removeFactor")}
          run={() =>
            api.delete(`/api/data/user/${encodeURIComponent(user.id)}/second-factor`).then(() => notifySaved())
          }
          close={() => setOpen(null)}
        />
      )}
      {record.conflict && (
        <ConflictDialog
          conflict={record.conflict}
          labels={{ displayName: t("people.name"), username: t("signIn.username"), email: t("customer.email") }}
        />
      )}
    </>
  );
}

/** What the person may do in this shop: roles in words, and the shop's own keys. */
function Grants({ user }: { user: User }) {
  const path = `/api/admin/grants/${encodeURIComponent(user.id)}`;
  const grants = useQuery({ queryKey: [path], queryFn: () => api.read<UserGrants>(path), refetchOnWindowFocus: false });
  const custom = useCustomRoles();
  if (grants.error) return <ErrorNotice error={grants.error} retry={() => void grants.refetch()} />;
  if (!grants.data) return <Skeleton height={160} />;
  if (!custom.data)
    return custom.error ? (
      <ErrorNotice error={custom.error} retry={() => void custom.refetch()} />
    ) : (
      <Skeleton height={160} />
    );
  return (
    <GrantsForm
      key={grants.data.etag}
      path={path}
      keys={grants.data.record.keys}
      etag={grants.data.etag}
      custom={custom.data}
    />
  );
}

function GrantsForm({
  path,
  keys,
  etag,
  custom,
}: {
  path: string;
  keys: string[];
  etag: string;
  custom: CustomRole[];
}) {
  const queries = useQueryClient();
  const { may } = useSession();
  const isRole = (key: string) => roles.some((role) => role === key) || custom.some((role) => role.name === key);
  const form = useForm({ initialValues: { roles: keys.filter(isRole), keys: keys.filter((key) => !isRole(key)) } });
  const versions = useVersions<UserGrants>(path, async (changes, version) => {
    if (changes.keys) await api.put(path, { keys: changes.keys }, { ifMatch: version });
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
  });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("people.rights")}
      </Title>
      <FormPage
        form={form}
        save={(values) =>
          versions.save({ keys: [...values.roles, ...values.keys] }, etag, {
            base: { keys },
            before: { keys: [...keys.filter(isRole), ...keys.filter((key) => !isRole(key))] },
          })
        }
      >
        <Checkbox.Group {...form.getInputProps("roles")}>
          <Stack gap="sm">
            {roles.map((role) => (
              <Checkbox
                key={role}
                value={role}
                label={t(`role.${role}`)}
                description={t(`roleText.${role}`)}
                disabled={!mayGive(may, role)}
              />
            ))}
            {custom.map((role) => (
              <Checkbox
                key={role.name}
                value={role.name}
                label={role.name}
                description={[role.description, rightsText(role.keys)].filter(Boolean).join(" ")}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <RightsInput
          label={t("people.ownKeys")}
          description={t("people.ownKeysText")}
          {...form.getInputProps("keys")}
        />
      </FormPage>
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{ keys: t("people.rights") }}
          show={(value) => (value as string[]).map(rightName).join(", ") || t("none")}
        />
      )}
    </Paper>
  );
}

function Password({ user }: { user: User }) {
  const path = `/api/data/user/${encodeURIComponent(user.id)}`;
  const form = useForm({ initialValues: { password: "" } });
  const [made, setMade] = useState<CreatedPasswordReset | null>(null);
  const {
    run: makeLink,
    busy,
    error,
  } = useAction(async () => setMade(await api.post<CreatedPasswordReset>(`${path}/password-reset`)));
  return (
    <Paper>
      <Title order={2} fz={16} mb="xs">
        {t("people.password")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("people.resetText")}
      </Text>
      {error && <ErrorNotice error={error} />}
      <Button variant="default" mb="md" loading={busy} onClick={() => void makeLink()}>
        {t("people.resetLink")}
      </Button>
      <Text size="sm" c="dimmed" mb="sm">
        {t("people.passwordText")}
      </Text>
      <FormPage
        form={form}
        saveLabel={t("people.setPassword")}
        save={async ({ password }) => {
          await api.put(`${path}/password`, { password });
          form.setValues({ password: "" });
          notifySaved();
        }}
      >
        <PasswordInput
          label={t("people.newPassword")}
          autoComplete="new-password"
          minLength={8}
          {...form.getInputProps("password")}
        />
      </FormPage>
      {made && <OneTimeLinkDialog title={t("people.resetLink")} made={made} close={() => setMade(null)} />}
    </Paper>
  );
}
