// Which alerts a person gets in this shop, and how. Part of the account page.
import { Group, Paper, Skeleton, Stack, Switch, Text, Title, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api";
import { useAction } from "../../lib/action";
import { currentLanguage, t, type TextKey } from "../../text";
import { ErrorNotice } from "../../ui/basics";
import { notifySaved } from "../../ui/form";

const path = "/api/admin/alerts";
const media = ["direct", "email"] as const;
type Medium = (typeof media)[number];

interface AlertSettings {
  directAvailable: boolean;
  emailAvailable: boolean;
  email: string | null;
  kinds: ({ kind: string } & Record<Medium, boolean>)[];
}

export function AlertsCard() {
  const queries = useQueryClient();
  const settings = useQuery({ queryKey: [path], queryFn: () => api.get<AlertSettings>(path) });
  const change = useAction(async (kind: string, medium: Medium, wanted: boolean) => {
    await api.put(path, { locale: currentLanguage(), kinds: [{ kind, [medium]: wanted }] });
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved();
  });
  const available: Record<Medium, boolean> = { direct: settings.data?.directAvailable ?? false, email: settings.data?.emailAvailable ?? false };
  return (
    <Paper data-alerts>
      <Title order={2} fz={16} mb={4}>{t("alerts.title")}</Title>
      <Text c="dimmed" mb="sm">{t("alerts.text")}</Text>
      {settings.error && <ErrorNotice error={settings.error} retry={() => void settings.refetch()} />}
      {change.error && <ErrorNotice error={change.error} />}
      {settings.isPending && <Skeleton height={120} />}
      <Stack gap="sm">
        {settings.data?.kinds.map((state) => (
          <Group key={state.kind} justify="space-between" gap="xs">
            <Text fw={600} flex="1 1 180px">{t(`alerts.${state.kind}` as TextKey)}</Text>
            <Group gap="lg">
              {media.map((medium) => (
                <Switch key={medium} label={<>{t(`alerts.${medium}` as TextKey)}<VisuallyHidden component="span">{`: ${t(`alerts.${state.kind}` as TextKey)}`}</VisuallyHidden></>} checked={state[medium] && available[medium]} disabled={change.busy || !available[medium]} onChange={(event) => void change.run(state.kind, medium, event.currentTarget.checked)} />
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
      {settings.data && !available.direct && <Text size="sm" c="dimmed" mt="sm">{t("alerts.noDirect")}</Text>}
      {settings.data && !available.email && <Text size="sm" c="dimmed" mt={4}>{t("alerts.noEmail")}</Text>}
    </Paper>
  );
}
