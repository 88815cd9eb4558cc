// Connecting a chat server to this shop, and giving up a shop that was opened by mistake. For the page and the first run.
import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconCheck, IconExternalLink, IconPlugConnected } from "@tabler/icons-react";
import { useState } from "react";
import { api, type MadeBindingCode, type OwnTenants } from "../../api";
import { useAction } from "../../lib/action";
import { useChecklist } from "../../lib/checklist";
import { dateTime } from "../../lib/format";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Copyable, ErrorNotice } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";

/** Makes a code, and shows the two ways to use it. The list of servers follows by itself. */
export function ConnectServer({ primary = false }: { primary?: boolean }) {
  const [made, setMade] = useState<MadeBindingCode | null>(null);
  const making = useAction(async () => setMade(await api.post<MadeBindingCode>("/api/admin/chat/binding-code")));
  if (!made) {
    return (
      <Stack gap="xs" align="flex-start">
        {making.error && <ErrorNotice error={making.error} />}
        <Button
          variant={primary ? "filled" : "default"}
          loading={making.busy}
          leftSection={<IconPlugConnected size={16} />}
          onClick={() => void making.run()}
        >
          {t("connect.begin")}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="sm" role="group" aria-label={t("connect.begin")}>
      {made.url && (
        <div>
          <Text mb={6}>{t("connect.link")}</Text>
          <Button
            component="a"
            href={made.url}
            target="_blank"
            rel="opener"
            rightSection={<IconExternalLink size={14} />}
          >
            {t("chat.invite")}
          </Button>
        </div>
      )}
      <div>
        <Text mb={6}>{t(made.url ? "connect.orCommand" : "connect.command")}</Text>
        <Copyable text={`/register code:${made.code}`} />
      </div>
      <Text size="sm" c="dimmed">
        {t("connect.expires", { time: dateTime(made.expiresAt) })}
      </Text>
    </Stack>
  );
}

const outcomes = ["connected", "already", "taken", "expired", "declined", "failed"] as const;

/** What became of the platform's page that adds the bot. */
export function ServerOutcome() {
  const { values } = useUrlState(["server"]);
  const outcome = outcomes.find((each) => each === values.server);
  if (!outcome) return null;
  const good = outcome === "connected" || outcome === "already";
  return (
    <Alert
      color={good ? "green" : "yellow"}
      role="status"
      icon={good ? <IconCheck size={18} /> : undefined}
      title={t(`connect.${outcome}`)}
    >
      {t(`connect.${outcome}Text`)}
    </Alert>
  );
}

/** Only in a shop that was opened from the chat and is still empty. */
export function GiveUpShop() {
  const { session, may, switchTenant, signOut } = useSession();
  const checklist = useChecklist();
  const [code, setCode] = useState("");
  const [asking, setAsking] = useState(false);
  const isEmpty = checklist.data && !checklist.data.product && !checklist.data.trial;
  if (!isEmpty || !may("TenantAdmin") || !session.user.tenantId.startsWith("guild-")) return null;
  const giveUp = async () => {
    await api.post("/api/admin/give-up", code.trim() === "" ? {} : { code: code.trim() });
    const { items } = await api.get<OwnTenants>("/auth/tenants").catch((): OwnTenants => ({ items: [] }));
    const next = items.find((shop) => shop.tenantId !== session.user.tenantId);
    await (next ? switchTenant(next.tenantId) : signOut());
  };
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>
        {t("giveUp.title")}
      </Title>
      <Text c="dimmed" mb="sm">
        {t("giveUp.text")}
      </Text>
      <Group align="flex-end">
        <TextInput
          label={t("giveUp.code")}
          placeholder="K4TQ-7WNM-2XRD-PLYA"
          autoComplete="off"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          style={{ flex: "1 1 220px" }}
        />
        <Button variant="default" onClick={() => setAsking(true)}>
          {t(code.trim() === "" ? "giveUp.button" : "giveUp.move")}
        </Button>
      </Group>
      {asking && (
        <ConfirmDialog
          danger
          title={t(code.trim() === "" ? "giveUp.button" : "giveUp.move")}
          text={t(code.trim() === "" ? "giveUp.confirm" : "giveUp.confirmMove")}
          button={t(code.trim() === "" ? "giveUp.button" : "giveUp.move")}
          run={giveUp}
          close={() => setAsking(false)}
        />
      )}
    </Paper>
  );
}
