import { Group, Paper, PasswordInput, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type OwnSessions } from "../../api";
import { useBranding } from "../../lib/branding";
import { useSession } from "../../session";
import { rightName } from "../../lib/roles";
import { chooseLanguage, currentLanguage, languages, t, type Language, type TextKey } from "../../text";
import { ErrorNotice, Facts, GuardedButton, PageHead, When } from "../../ui/basics";
import { attempt, FormPage, notifySaved } from "../../ui/form";
import { RecordName } from "../../ui/record-name";
import { AlertsCard } from "../messages/alerts";
import { passwordProblem } from "./public-page";
import { SecondFactorCard } from "./second-factor";
import { Tokens } from "../developers/tokens";

const path = "/auth/sessions";

export function AccountPage() {
  const { session, may } = useSession();
  const queries = useQueryClient();
  const branding = useBranding(may("data.read"));
  const sessions = useQuery({ queryKey: [path], queryFn: () => api.get<OwnSessions>(path) });
  const end = async (id: string) => {
    await api.delete(`${path}/${encodeURIComponent(id)}`);
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
  };
  return (
    <>
      <PageHead title={t("account.title")} />
      <Stack maw={640}>
        <Paper>
          <Facts
            facts={[
              [
                t("people.name"),
                may("data.read") ? (
                  <RecordName kind="user" id={session.user.userId} otherwise={session.user.userId} />
                ) : (
                  session.user.userId
                ),
              ],
              ...(session.user.email ? [[t("customer.email"), session.user.email] as [string, string]] : []),
              [t("account.shop"), branding.data?.record.shopName ?? session.user.tenantId],
              [
                t("account.rights"),
                <Stack gap={0}>
                  {session.permissionKeys.map((key) => (
                    <span key={key}>{rightName(key)}</span>
                  ))}
                  {session.permissionKeys.length === 0 && t("none")}
                </Stack>,
              ],
            ]}
          />
        </Paper>
        <Paper>
          <Select
            label={t("account.language")}
            allowDeselect={false}
            value={currentLanguage()}
            data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            onChange={(language) => language && chooseLanguage(language as Language)}
          />
        </Paper>
        {may("data.read") && <AlertsCard />}
        <OwnPassword />
        <SecondFactorCard />
        {may("admin.access") && <Tokens />}
        <Paper>
          <Title order={2} fz={16} mb="sm">
            {t("account.sessions")}
          </Title>
          {sessions.error && <ErrorNotice error={sessions.error} retry={() => void sessions.refetch()} />}
          {sessions.isPending && <Skeleton height={60} />}
          <Stack gap="sm">
            {sessions.data?.items.map((own) => (
              <Group key={own.id} justify="space-between">
                <div>
                  <Text fw={600}>
                    {t(`signInWay.${own.provider}` as TextKey)}
                    {own.current && ` · ${t("account.thisOne")}`}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {t("account.began")} <When at={own.createdAt} /> · {t("account.ends")} <When at={own.expiresAt} />
                  </Text>
                </div>
                <GuardedButton
                  allowed={!own.current}
                  reason={t("account.useSignOut")}
                  size="xs"
                  variant="default"
                  onClick={() => attempt(() => end(own.id))}
                >
                  {t("account.end")}
                </GuardedButton>
              </Group>
            ))}
          </Stack>
        </Paper>
      </Stack>
    </>
  );
}

function OwnPassword() {
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: "", newPassword: "" },
    validate: { newPassword: passwordProblem },
  });
  const save = async (values: typeof form.values) => {
    await api.put("/auth/password", values);
    form.setValues({ currentPassword: "", newPassword: "" });
    notifySaved(t("password.changed"));
    await Promise.all([
      queries.invalidateQueries({ queryKey: [path] }),
      queries.invalidateQueries({ queryKey: ["session"] }),
    ]);
  };
  return (
    <Paper>
      <Title order={2} fz={16} mb="xs">
        {t("password.own")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("password.ownText")}
      </Text>
      <FormPage form={form} saveLabel={t("password.change")} save={save}>
        <PasswordInput
          label={t("password.current")}
          autoComplete="current-password"
          required
          {...form.getInputProps("currentPassword")}
        />
        <PasswordInput
          label={t("password.new")}
          description={t("password.rule")}
          autoComplete="new-password"
          required
          {...form.getInputProps("newPassword")}
        />
      </FormPage>
    </Paper>
  );
}
