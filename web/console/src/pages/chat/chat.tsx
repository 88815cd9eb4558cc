import { Code, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconExternalLink } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Guilds, type WebhookEvent } from "../../api";
import { useAction } from "../../lib/action";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, ErrorNotice, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { BotTrial } from "./bot-trial";
import { ConnectServer, GiveUpShop, ServerOutcome } from "./chat-server";
import { ChatConnection, chatPath, useChatSetup, VerificationBanner } from "./chat-connection";

const guildsPath = "/api/admin/guilds";

export function ChatPage() {
  const setup = useChatSetup();
  return (
    <>
      <PageHead title={t("chat.title")} />
      <Stack gap="lg">
        <ServerOutcome />
        {setup.data && <VerificationBanner setup={setup.data} />}
        <div className="two-columns">
          <Stack gap="lg">
            <Guilds />
            <GiveUpShop />
            <ChatConnection />
            {setup.data && (
              <Commands names={setup.data.commands} configured={setup.data.bot && setup.data.applicationId != null} />
            )}
          </Stack>
          <Paper>
            <Title order={2} fz={16} mb={4}>
              {t("trial.title")}
            </Title>
            <BotTrial />
          </Paper>
        </div>
        <Interactions />
      </Stack>
    </>
  );
}

function Guilds() {
  const { may } = useSession();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<string | null>(null);
  const guilds = useQuery({ queryKey: [guildsPath], queryFn: () => api.get<Guilds>(guildsPath) });
  const form = useForm({ initialValues: { guildId: "" } });
  const refresh = () => queries.invalidateQueries({ queryKey: [guildsPath] });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("chat.servers")}
      </Title>
      {guilds.error && <ErrorNotice error={guilds.error} retry={() => void guilds.refetch()} />}
      {guilds.isPending && <Skeleton height={60} />}
      {guilds.data?.items.length === 0 && <Text c="dimmed">{t("chat.emptyText")}</Text>}
      <Stack gap="sm">
        {guilds.data?.items.map((guild) => (
          <Group key={guild.guildId} justify="space-between">
            <div>
              <Code>{guild.guildId}</Code>
              <Text size="sm" c="dimmed">
                {t("chat.since")} <When at={guild.createdAt} />
              </Text>
            </div>
            <GuardedButton
              allowed={may("admin.access")}
              size="xs"
              variant="default"
              aria-label={t("chat.releaseLabel", { id: guild.guildId })}
              onClick={() => setLeaving(guild.guildId)}
            >
              {t("chat.release")}
            </GuardedButton>
          </Group>
        ))}
      </Stack>
      {guilds.data && may("admin.access") && (
        <div style={{ marginTop: 16 }}>
          <ConnectServer key={guilds.data.items.length} primary={guilds.data.items.length === 0} />
        </div>
      )}
      {may("PlatformAdmin") && (
        <div style={{ marginTop: 24 }}>
          <FormPage
            form={form}
            saveLabel={t("chat.bind")}
            save={async ({ guildId }) => {
              await api.put(`${guildsPath}/${encodeURIComponent(guildId.trim())}`, {});
              form.setValues({ guildId: "" });
              await refresh();
              notifySaved();
            }}
          >
            <TextInput
              label={t("chat.bindLabel")}
              description={t("chat.bindText")}
              inputMode="numeric"
              {...form.getInputProps("guildId")}
            />
          </FormPage>
        </div>
      )}
      {leaving !== null && (
        <ConfirmDialog
          danger
          typed={leaving}
          title={t("chat.release")}
          text={t("chat.releaseText", { id: leaving })}
          button={t("chat.release")}
          run={async () => {
            await api.delete(`${guildsPath}/${encodeURIComponent(leaving)}`);
            await refresh();
            notifySaved();
          }}
          close={() => setLeaving(null)}
        />
      )}
    </Paper>
  );
}

function Commands({ names, configured }: { names: string[]; configured: boolean }) {
  const { may } = useSession();
  const allowed = may("PlatformAdmin");
  const registration = useAction(async () => {
    await api.post(`${chatPath}/commands`);
    notifySaved(t("chat.registered"));
  });
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>
        {t("chat.commands")}
      </Title>
      <Text c="dimmed" mb="sm">
        {t("chat.commandsText")}
      </Text>
      <Group gap="xs" mb="sm">
        {names.map((name) => (
          <Code key={name}>/{name}</Code>
        ))}
      </Group>
      {registration.error && <ErrorNotice error={registration.error} />}
      <GuardedButton
        allowed={allowed && configured}
        reason={t(allowed ? "chat.registerMissing" : "chat.registerReason")}
        variant="default"
        loading={registration.busy}
        rightSection={<IconExternalLink size={14} />}
        onClick={() => void registration.run()}
      >
        {t("chat.register")}
      </GuardedButton>
    </Paper>
  );
}

/** What a member did, in words. */
function interactionText(event: WebhookEvent): string {
  const payload = event.payload as { type?: number; data?: { name?: string } } | null | undefined;
  if (payload?.type === 2) return `/${payload.data?.name ?? ""}`;
  if (payload?.type === 3) return t("interaction.component");
  if (payload?.type === 5) return t("interaction.modal");
  return t("interaction.erased");
}

function memberOf(event: WebhookEvent): string {
  type User = { username?: string; global_name?: string | null };
  const payload = event.payload as { member?: { user?: User }; user?: User } | null | undefined;
  const user = payload?.member?.user ?? payload?.user;
  return user?.global_name || user?.username || (event.eventId.startsWith("console-") ? t("trial.title") : t("none"));
}

function Interactions() {
  return (
    <Stack gap="xs">
      <Title order={2} fz={16}>
        {t("chat.recent")}
      </Title>
      <CursorList<WebhookEvent>
        label={t("chat.recent")}
        path="/api/data/webhook-event"
        query={{ provider: "CHAT" }}
        columns={[
          { title: t("interaction.what"), cell: interactionText },
          { title: t("interaction.member"), cell: memberOf, phone: true },
          {
            title: t("orders.status"),
            cell: (event) => <Status value={event.status} kind="eventStatus" />,
            phone: true,
          },
          { title: t("outbox.error"), cell: (event) => event.error ?? "" },
          { title: t("audit.when"), cell: (event) => <When at={event.receivedAt} />, phone: true },
        ]}
        keyOf={(event) => event.id}
        empty={<Empty title={t("chat.noInteractions")} text={t("chat.noInteractionsText")} />}
      />
    </Stack>
  );
}
