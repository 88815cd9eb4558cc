// What surrounds the pages that need no session.
import { Button, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState, type ReactNode } from "react";
import { t } from "../../text";

export function PublicPage({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper w="100%" maw={440} p="xl">
        <Stack gap="xs" mb="lg" align="center">
          <img src="/console/favicon.svg" width={44} height={44} alt="" />
          <Title order={1} fz={20} ta="center" className="break-anywhere">
            {title}
          </Title>
          {text && (
            <Text c="dimmed" ta="center">
              {text}
            </Text>
          )}
        </Stack>
        {children}
      </Paper>
    </Center>
  );
}

/** The same for a wrong, used, expired and withdrawn link: the server does not tell these apart, either. */
export function UnusableLink() {
  return (
    <PublicPage title={t("public.linkTitle")} text={t("public.linkText")}>
      <ToSignIn />
    </PublicPage>
  );
}

export function ToSignIn() {
  return (
    <Button component="a" href="/console/" fullWidth size="md" variant="default">
      {t("public.toSignIn")}
    </Button>
  );
}

/** The token is behind the `#`, which browsers do not send with the page. Another link in the same tab loads the page again. */
export function useTokenOfAddress(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const loadAgain = () => location.reload();
    addEventListener("hashchange", loadAgain);
    return () => removeEventListener("hashchange", loadAgain);
  }, []);
  return token;
}

export function passwordProblem(password: string): string | null {
  return password.length < 8 ? t("password.tooShort") : null;
}
