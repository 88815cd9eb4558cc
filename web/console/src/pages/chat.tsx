import { Alert, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, type Readiness } from "../api";
import { t } from "../text";
import { Copyable, Empty, ErrorNotice, Facts, PageHead, When } from "../ui/basics";

interface Guild {
  guildId: string;
  createdAt: string;
}

export function ChatPage() {
  const guilds = useQuery({ queryKey: ["/api/admin/guilds"], queryFn: () => api.get<{ items: Guild[] }>("/api/admin/guilds") });
  const readiness = useQuery({ queryKey: ["/readyz"], queryFn: () => api.get<Readiness>("/readyz") });
  const unverified = readiness.data?.warnings.find((warning) => warning.includes("CHAT_INTERACTIONS_PUBLIC_KEY"));
  return (
    <>
      <PageHead title={t("chat.title")} />
      <Stack maw={720}>
        {unverified && <Alert color="red" icon={<IconAlertTriangle size={18} />}>{unverified}</Alert>}
        {guilds.error && <ErrorNotice error={guilds.error} retry={() => void guilds.refetch()} />}
        {guilds.isPending && <Skeleton height={100} />}
        {guilds.data?.items.length === 0 && <Paper><Empty title={t("chat.empty")} text={t("chat.emptyText")} /></Paper>}
        {guilds.data?.items.map((guild) => (
          <Paper key={guild.guildId}>
            <Facts facts={[[t("chat.server"), guild.guildId], [t("chat.since"), <When at={guild.createdAt} />]]} />
          </Paper>
        ))}
        <Paper>
          <Title order={2} fz={16} mb="xs">{t("chat.addresses")}</Title>
          <Text c="dimmed" mb="sm">{t("chat.addressesText")}</Text>
          <Stack gap="xs">
            <div><Text size="sm" fw={600}>{t("chat.interactions")}</Text><Copyable text={`${location.origin}/api/chat/interactions`} /></div>
            <div><Text size="sm" fw={600}>{t("chat.callback")}</Text><Copyable text={`${location.origin}/auth/chat/callback`} /></div>
          </Stack>
        </Paper>
      </Stack>
    </>
  );
}
