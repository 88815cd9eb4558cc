// Which alerts a person gets in this shop, and how. Part of the account page.
import { Button, Group, Paper, Skeleton, Stack, Switch, Text, Title, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api";
import { useAction } from "../../lib/action";
import { canPush, presentSubscriptionId, subscribeBrowser, unsubscribeBrowser } from "../../lib/push";
import { currentLanguage, t, type TextKey } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { notifySaved } from "../../ui/form";

const path = "/api/admin/alerts";
const media = ["direct", "email", "push"] as const;
type Medium = (typeof media)[number];

interface AlertSettings {
  directAvailable: boolean;
  emailAvailable: boolean;
  email: string | null;
  pushKey: string | null;
  subscriptions: { id: string }[];
  kinds: ({ kind: string } & Record<Medium, boolean>)[];
}

export function AlertsCard() {
  const queries = useQueryClient();
  const settings = useQuery({ queryKey: [path], queryFn: () => api.get<AlertSettings>(path) });
  const choose = async (kinds: ({ kind: string } & Partial<Record<Medium, boolean>>)[]) => {
    await api.put(path, { locale: currentLanguage(), kinds });
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
  };
  const change = useAction((kind: string, medium: Medium, wanted: boolean) => choose([{ kind, [medium]: wanted }]));
  const { data } = settings;
  const available: Record<Medium, boolean> = {
    direct: data?.directAvailable ?? false,
    email: data?.emailAvailable ?? false,
    push: (data?.subscriptions.length ?? 0) > 0,
  };
  return (
    <Paper data-alerts>
      <Title order={2} fz={16} mb={4}>
        {t("alerts.title")}
      </Title>
      <Text c="dimmed" mb="sm">
        {t("alerts.text")}
      </Text>
      {settings.error && <ErrorNotice error={settings.error} retry={() => void settings.refetch()} />}
      {change.error && <ErrorNotice error={change.error} />}
      {settings.isPending && <Skeleton height={120} />}
      <Stack gap="md">
        {data?.kinds.map((state) => (
          <div key={state.kind}>
            <Text fw={600} mb={6}>
              {t(`alerts.${state.kind}` as TextKey)}
            </Text>
            <Group gap="lg">
              {media.map((medium) => (
                <Switch
                  key={medium}
                  label={
                    <>
                      {t(`alerts.${medium}` as TextKey)}
                      <VisuallyHidden component="span">{`: ${t(`alerts.${state.kind}` as TextKey)}`}</VisuallyHidden>
                    </>
                  }
                  checked={state[medium] && available[medium]}
                  disabled={change.busy || !available[medium]}
                  onChange={(event) => void change.run(state.kind, medium, event.currentTarget.checked)}
                />
              ))}
            </Group>
          </div>
        ))}
      </Stack>
      {data && !available.direct && (
        <Text size="sm" c="dimmed" mt="sm">
          {t("alerts.noDirect")}
        </Text>
      )}
      {data && !available.email && (
        <Text size="sm" c="dimmed" mt={4}>
          {t("alerts.noEmail")}
        </Text>
      )}
      {data?.pushKey && (
        <ThisBrowser
          settings={data}
          pushKey={data.pushKey}
          chooseAll={() => choose(data.kinds.map(({ kind }) => ({ kind, push: true })))}
        />
      )}
    </Paper>
  );
}

/** Switches the notifications of this browser on and off. The first browser switches on all alerts, since one that shows nothing would be of no use. */
function ThisBrowser({
  settings,
  pushKey,
  chooseAll,
}: {
  settings: AlertSettings;
  pushKey: string;
  chooseAll: () => Promise<void>;
}) {
  const queries = useQueryClient();
  const [refused, setRefused] = useState(false);
  const own = useQuery({ queryKey: ["push-subscription"], queryFn: presentSubscriptionId });
  const isOn = settings.subscriptions.some(({ id }) => id === own.data);
  const turn = useAction(async () => {
    if (isOn && own.data) {
      await unsubscribeBrowser(own.data);
    } else {
      const allowed = await subscribeBrowser(pushKey);
      setRefused(!allowed);
      if (allowed && settings.kinds.every(({ push }) => !push)) await chooseAll();
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["push-subscription"] }),
      queries.invalidateQueries({ queryKey: [path] }),
    ]);
  });
  const others = settings.subscriptions.length - (isOn ? 1 : 0);
  return (
    <Group justify="space-between" mt="md" gap="sm">
      <div style={{ flex: "1 1 240px" }}>
        <Text fw={600}>{t("alerts.thisBrowser")}</Text>
        <Text size="sm" c="dimmed">
          {t(
            !canPush()
              ? "alerts.cannotPush"
              : refused
                ? "alerts.pushRefused"
                : isOn
                  ? "alerts.pushOn"
                  : "alerts.pushOff",
          )}
          {others > 0 && ` ${t("alerts.otherBrowsers", { count: others })}`}
        </Text>
        {turn.error && <ErrorNotice error={turn.error} />}
      </div>
      {canPush() && (
        <Button variant="default" loading={turn.busy} disabled={own.isPending} onClick={() => void turn.run()}>
          {t(isOn ? "alerts.turnOff" : "alerts.turnOn")}
        </Button>
      )}
    </Group>
  );
}
