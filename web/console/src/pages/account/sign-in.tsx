import {
  Alert,
  Anchor,
  Button,
  Center,
  Code,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, type SetupState } from "../../api";
import { useAction } from "../../lib/action";
import { t } from "../../text";
import { sentenceOf } from "../../ui/basics";
import { CodeInput } from "../../ui/form";
import { PublicPage } from "./public-page";
import { Modal } from "../../ui/modal";

const tenantKey = "guildhall.tenant";

export function rememberTenant(tenantId: string): void {
  localStorage.setItem(tenantKey, tenantId);
}

/** The shop to sign in to: from the address bar (`?tenant=`), else the last one used here, else the default one. */
function suggestedTenant(): string {
  return new URLSearchParams(location.search).get("tenant") ?? localStorage.getItem(tenantKey) ?? "default";
}

function SignInForm({ done }: { done: () => void }) {
  const [asksCode, setAsksCode] = useState(false);
  const form = useForm({ initialValues: { tenantId: suggestedTenant(), username: "", password: "", code: "" } });
  const back = () => {
    setAsksCode(false);
    attempt.clear();
    form.setFieldValue("code", "");
  };
  const attempt = useAction(async ({ tenantId, username, password, code }: typeof form.values) => {
    try {
      await api.signIn(tenantId, username, password, code.trim());
      rememberTenant(tenantId);
      done();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.code === "SECOND_FACTOR_REQUIRED") return setAsksCode(true);
      if (thrown.code === "INVALID_CREDENTIALS") throw new Error(t("signIn.wrong"));
      if (thrown.code === "TENANT_AMBIGUOUS") throw new Error(t("signIn.ambiguous"));
      throw thrown.status === 404 ? new Error(t("signIn.noPasswords")) : thrown;
    }
  });
  const { busy, error } = attempt;
  const submit = form.onSubmit((values) => void attempt.run(values));
  if (asksCode) {
    return (
      <form onSubmit={submit}>
        <Stack>
          {error && (
            <Alert color="red" role="alert">
              {sentenceOf(error)}
            </Alert>
          )}
          <Title order={2} fz={16}>
            {t("signIn.codeTitle")}
          </Title>
          <CodeInput description={t("signIn.codeText")} {...form.getInputProps("code")} />
          <Button type="submit" loading={busy} fullWidth size="md">
            {t("signIn.button")}
          </Button>
          <Button variant="default" fullWidth size="md" onClick={back}>
            {t("signIn.back")}
          </Button>
        </Stack>
      </form>
    );
  }
  const here = location.pathname + location.search;
  return (
    <form onSubmit={submit}>
      <Stack>
        {error && (
          <Alert color="red" role="alert">
            {sentenceOf(error)}
          </Alert>
        )}
        <TextInput
          label={t("signIn.shop")}
          description={t("signIn.shopText")}
          autoCapitalize="none"
          {...form.getInputProps("tenantId")}
          required
        />
        <TextInput
          label={t("signIn.username")}
          autoComplete="username"
          autoCapitalize="none"
          {...form.getInputProps("username")}
          required
          data-autofocus
        />
        <PasswordInput
          label={t("signIn.password")}
          autoComplete="current-password"
          {...form.getInputProps("password")}
          required
        />
        <Button type="submit" loading={busy} fullWidth size="md">
          {t("signIn.button")}
        </Button>
        <Divider label={t("signIn.or")} />
        <Button
          component="a"
          variant="default"
          fullWidth
          size="md"
          href={`/auth/chat/start?mode=redirect&tenantId=${encodeURIComponent(form.values.tenantId)}&postLoginRedirect=${encodeURIComponent(here)}`}
        >
          {t("signIn.chat")}
        </Button>
      </Stack>
    </form>
  );
}

/** Nobody can sign in yet: says where the link for the first owner is. */
function FirstOwner({ passwords }: { passwords: boolean }) {
  return (
    <PublicPage title={t("setup.title")} text={t("setup.missing")}>
      <Stack gap="sm">
        {passwords ? (
          <>
            <Text>{t("setup.where")}</Text>
            <Code block className="wrapped">{`${location.origin}/console/setup#gi_…`}</Code>
            <Text size="sm" c="dimmed">
              {t("setup.again24")}
            </Text>
          </>
        ) : (
          <>
            <Text>{t("setup.noPasswords")}</Text>
            <Code block className="wrapped">
              LOCAL_AUTH_ENABLED=true
            </Code>
          </>
        )}
        <Button component="a" href="/console/" variant="default" fullWidth mt="sm">
          {t("action.tryAgain")}
        </Button>
        <Anchor href="/docs" size="sm" ta="center">
          {t("signIn.docs")}
        </Anchor>
      </Stack>
    </PublicPage>
  );
}

export function SignInPage({ done }: { done: () => void }) {
  const setup = useQuery({
    queryKey: ["/auth/setup"],
    queryFn: () => api.get<SetupState>("/auth/setup"),
    staleTime: Infinity,
  });
  if (setup.data?.ownerMissing) return <FirstOwner passwords={setup.data.passwords} />;
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper w="100%" maw={400} p="xl">
        <Stack gap="xs" mb="lg" align="center">
          <img src="/console/favicon.svg" width={44} height={44} alt="" />
          <Title order={1} fz={20}>
            {t("signIn.title")}
          </Title>
          <Text c="dimmed" ta="center">
            {t("signIn.text")}
          </Text>
        </Stack>
        <SignInForm done={done} />
        <Text size="xs" c="dimmed" ta="center" mt="md">
          <Anchor href="/docs" size="xs">
            {t("signIn.docs")}
          </Anchor>
        </Text>
      </Paper>
    </Center>
  );
}

/** Opens over the page when the session has ended, or is about to, so that what was typed stays where it is. */
export function SignInDialog({ done, later }: { done: () => void; later?: (() => void) | undefined }) {
  return (
    <Modal
      onClose={later ?? (() => {})}
      withCloseButton={later !== undefined}
      title={t(later ? "signIn.renew" : "signIn.again")}
      closeOnEscape={later !== undefined}
      closeOnClickOutside={false}
    >
      <Alert icon={<IconLock size={18} />} mb="md">
        {t(later ? "signIn.renewText" : "signIn.againText")}
      </Alert>
      <SignInForm done={done} />
    </Modal>
  );
}
