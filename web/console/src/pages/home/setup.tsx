// Where the link leads that an empty installation prints: makes its first owner.
import { Center, Loader, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, type ShownInvitation } from "../../api";
import { t } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { FormPage } from "../../ui/form";
import { PublicPage, passwordProblem, ToSignIn, useTokenOfAddress } from "../account/public-page";
import { rememberTenant } from "../account/sign-in";

export function SetupPage() {
  const token = useTokenOfAddress();
  const path = `/auth/invitations/${encodeURIComponent(token)}`;
  const [ended, setEnded] = useState(token === "");
  const link = useQuery({
    queryKey: [path],
    queryFn: () => api.get<ShownInvitation>(path),
    enabled: !ended,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  });
  const missing = link.error instanceof ApiError && [400, 404].includes(link.error.status);
  if (ended || missing)
    return (
      <PublicPage title={t("public.linkTitle")} text={t("setup.linkText")}>
        <ToSignIn />
      </PublicPage>
    );
  if (link.error)
    return (
      <Center mih="100vh" p="md" component="main">
        <ErrorNotice error={link.error} retry={() => void link.refetch()} />
      </Center>
    );
  if (!link.data)
    return (
      <Center mih="100vh" component="main">
        <Loader size="sm" aria-label={t("loading")} />
      </Center>
    );
  return <OwnerForm path={path} tenantId={link.data.tenantId} linkEnded={() => setEnded(true)} />;
}

function OwnerForm({ path, tenantId, linkEnded }: { path: string; tenantId: string; linkEnded: () => void }) {
  const form = useForm({
    initialValues: { username: "", displayName: "", password: "", again: "" },
    validate: {
      username: (username) => (username.trim() === "" ? t("invitation.usernameMissing") : null),
      password: passwordProblem,
      again: (again, values) => (again === values.password ? null : t("setup.different")),
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
      return form.setFieldError("username", t("setup.reserved"));
    }
    rememberTenant(tenantId);
    location.replace("/console/welcome");
  };
  return (
    <PublicPage title={t("setup.title")} text={t("setup.text")}>
      <FormPage form={form} isNew saveLabel={t("setup.button")} save={accept}>
        <TextInput
          label={t("signIn.username")}
          description={t("setup.usernameText")}
          required
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
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
        <PasswordInput label={t("setup.again")} required autoComplete="new-password" {...form.getInputProps("again")} />
      </FormPage>
    </PublicPage>
  );
}
