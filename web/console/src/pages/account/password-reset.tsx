import { PasswordInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { ApiError, api } from "../../api";
import { t } from "../../text";
import { FormPage } from "../../ui/form";
import { PublicPage, ToSignIn, UnusableLink, passwordProblem, useTokenOfAddress } from "./public-page";

export function PasswordResetPage() {
  const token = useTokenOfAddress();
  const [state, setState] = useState<"asking" | "done" | "unusable">(token === "" ? "unusable" : "asking");
  const form = useForm({ initialValues: { newPassword: "" }, validate: { newPassword: passwordProblem } });
  const save = async ({ newPassword }: { newPassword: string }) => {
    try {
      await api.post(`/auth/password-reset/${encodeURIComponent(token)}`, { newPassword });
      setState("done");
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 404) throw thrown;
      setState("unusable");
    }
  };
  if (state === "unusable") return <UnusableLink />;
  if (state === "done")
    return (
      <PublicPage title={t("reset.doneTitle")} text={t("reset.doneText")}>
        <ToSignIn />
      </PublicPage>
    );
  return (
    <PublicPage title={t("reset.title")} text={t("reset.text")}>
      <FormPage form={form} isNew saveLabel={t("reset.button")} save={save}>
        <PasswordInput
          label={t("password.new")}
          description={t("password.rule")}
          required
          autoComplete="new-password"
          {...form.getInputProps("newPassword")}
        />
      </FormPage>
    </PublicPage>
  );
}
