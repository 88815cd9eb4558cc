import { Center, List, Loader, Paper, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, type ShownInvitation } from "../../api";
import { fullTime } from "../../lib/format";
import { rightName } from "../../lib/roles";
import { t, textOr } from "../../text";
import { ErrorNotice, sentenceOf } from "../../ui/basics";
import { FormPage } from "../../ui/form";
import { PublicPage, UnusableLink, passwordProblem, useTokenOfAddress } from "./public-page";
import { rememberTenant } from "./sign-in";

export function InvitationPage() {
  const token = useTokenOfAddress();
  const path = `/auth/invitations/${encodeURIComponent(token)}`;
  const [ended, setEnded] = useState(token === "");
  const invitation = useQuery({
    queryKey: [path],
    queryFn: () => api.get<ShownInvitation>(path),
    enabled: !ended,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  const missing = invitation.error instanceof ApiError && [400, 404].includes(invitation.error.status);
  if (ended || missing) return <UnusableLink />;
  if (invitation.error)
    return (
      <Center mih="100vh" p="md" component="main">
        <ErrorNotice error={invitation.error} retry={() => void invitation.refetch()} />
      </Center>
    );
  if (!invitation.data)
    return (
      <Center mih="100vh" component="main">
        <Loader size="sm" aria-label={t("loading")} />
      </Center>
    );
  return <Acceptance path={path} invitation={invitation.data} linkEnded={() => setEnded(true)} />;
}

function Acceptance({
  path,
  invitation,
  linkEnded,
}: {
  path: string;
  invitation: ShownInvitation;
  linkEnded: () => void;
}) {
  const form = useForm({
    initialValues: { username: "", displayName: invitation.name ?? "", password: "" },
    validate: {
      username: (username) => (username.trim() === "" ? t("invitation.usernameMissing") : null),
      password: passwordProblem,
    },
  });
  const accept = async ({ username, displayName, password }: typeof form.values) => {
    try {
      await api.post(path, {
        username: username.trim(),
        password,
        ...(displayName.trim() === "" ? {} : { displayName: displayName.trim() }),
      });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.status === 404) return linkEnded();
      if (thrown.code !== "USERNAME_TAKEN") throw thrown;
      return form.setFieldError("username", sentenceOf(thrown));
    }
    rememberTenant(invitation.tenantId);
    location.replace("/console/");
  };
  return (
    <PublicPage title={t("invitation.title", { shop: invitation.shopName })} text={t("invitation.text")}>
      <Paper p="sm" mb="md">
        <Title order={2} fz={14} mb={4}>
          {t("invitation.offer")}
        </Title>
        {invitation.keys.length === 0 && <Text size="sm">{t("invitation.noKeys")}</Text>}
        <List size="sm">
          {invitation.keys.map((key) => (
            <List.Item key={key} className="break-anywhere">
              <b>{rightName(key)}</b> {textOr(`roleText.${key}`, textOr(`right.${key}`, ""))}
            </List.Item>
          ))}
        </List>
        <Text size="xs" c="dimmed" mt={4}>
          {t("invitation.expires", { time: fullTime(invitation.expiresAt) })}
        </Text>
      </Paper>
      <FormPage form={form} isNew saveLabel={t("invitation.button")} save={accept}>
        <TextInput
          label={t("signIn.username")}
          required
          autoComplete="username"
          autoCapitalize="none"
          {...form.getInputProps("username")}
        />
        <TextInput
          label={t("invitation.name")}
          description={t("invitation.nameText")}
          autoComplete="name"
          {...form.getInputProps("displayName")}
        />
        <PasswordInput
          label={t("signIn.password")}
          description={t("password.rule")}
          required
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
      </FormPage>
    </PublicPage>
  );
}
