// Says in time that the session ends, so that nobody is asked to sign in again in the middle of a sentence.
import { Alert, Button, Group, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type OwnSessions } from "../api";
import { shopTimeZone } from "../lib/shop";
import { useSession } from "../session";
import { currentLanguage, t } from "../text";

const warnedMs = 5 * 60_000;
const longestTimerMs = 2 ** 31 - 1;

export function SessionEnd() {
  const { session, renew } = useSession();
  const sessions = useQuery({
    queryKey: ["/auth/sessions", session.sessionId],
    queryFn: () => api.get<OwnSessions>("/auth/sessions"),
    staleTime: Infinity,
  });
  const end = sessions.data?.items.find((own) => own.current)?.expiresAt;
  const [near, setNear] = useState(false);
  useEffect(() => {
    setNear(false);
    if (end === undefined) return;
    const wait = Date.parse(end) - warnedMs - Date.now();
    const timer = setTimeout(() => setNear(true), Math.min(Math.max(wait, 0), longestTimerMs));
    return () => clearTimeout(timer);
  }, [end]);
  if (!near || end === undefined) return <div role="status" />;
  const time = new Date(end).toLocaleTimeString(currentLanguage(), {
    timeZone: shopTimeZone(),
    hour: "2-digit",
    minute: "2-digit",
  });
  return (
    <div role="status">
      <Alert color="yellow" icon={<IconClock size={18} />} mb="md">
        <Group justify="space-between" gap="xs">
          <Text>{t("session.ends", { time })}</Text>
          <Button size="xs" variant="default" onClick={renew}>
            {t("signIn.renew")}
          </Button>
        </Group>
      </Alert>
    </div>
  );
}
