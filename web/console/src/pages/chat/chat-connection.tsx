// How the shop is connected to the chat platform: what to enter there, and whether it works. For the page and the first run.
import { Alert, Anchor, Code, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, type ChatSetup } from "../../api";
import { t } from "../../text";
import { Copyable, ErrorNotice } from "../../ui/basics";
import { ConnectionTest } from "../../ui/connection-test";

export const chatPath = "/api/admin/chat";

export function useChatSetup() {
  return useQuery({ queryKey: [chatPath], queryFn: () => api.get<ChatSetup>(chatPath) });
}

/** What is wrong with the verification of interactions, if anything. */
export function VerificationBanner({ setup }: { setup: ChatSetup }) {
  if (setup.verified) return null;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={t(setup.accepted ? "chat.unverified" : "chat.notAccepted")}
    >
      {t(setup.accepted ? "chat.unverifiedText" : "chat.notAcceptedText")}
    </Alert>
  );
}

export function ChatConnection() {
  const setup = useChatSetup();
  if (setup.error) return <ErrorNotice error={setup.error} retry={() => void setup.refetch()} />;
  if (!setup.data) return <Skeleton height={260} />;
  const { applicationId, bot, verified, interactionsUrl, redirectUrl } = setup.data;
  return (
    <Paper>
      <Stack gap="md">
        <div>
          <Title order={2} fz={16} mb={4}>
            {t("chat.connection")}
          </Title>
          <Text c="dimmed">
            {t("chat.connectionText")}{" "}
            <Anchor
              href="https://discord.com/developers/applications"
              target="_blank"
              rel="noopener"
              underline="always"
            >
              discord.com/developers/applications
            </Anchor>
          </Text>
        </div>
        <Stack gap="xs">
          <div>
            <Text size="sm" fw={600}>
              {t("chat.interactions")}
            </Text>
            <Copyable text={interactionsUrl} />
          </div>
          <div>
            <Text size="sm" fw={600}>
              {t("chat.callback")}
            </Text>
            <Copyable text={redirectUrl} />
          </div>
        </Stack>
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t("chat.values")}
          </Text>
          <Stack gap="xs">
            <Variable name="CHAT_APPLICATION_ID" isSet={applicationId != null} />
            <Variable name="CHAT_INTERACTIONS_PUBLIC_KEY" isSet={verified} />
            <Variable name="CHAT_BOT_TOKEN" isSet={bot} />
          </Stack>
          <Text size="sm" c="dimmed" mt={4}>
            {t("chat.valuesText")}
          </Text>
        </div>
        <ConnectionTest path={`${chatPath}/test`} />
      </Stack>
    </Paper>
  );
}

function Variable({ name, isSet }: { name: string; isSet: boolean }) {
  const Icon = isSet ? IconCheck : IconClock;
  return (
    <Group justify="space-between" gap="xs">
      <Code className="break-anywhere">{name}</Code>
      <span className={`status status-${isSet ? "good" : "waiting"}`}>
        <Icon size={13} aria-hidden />
        {t(isSet ? "chat.set" : "chat.missing")}
      </span>
    </Group>
  );
}
