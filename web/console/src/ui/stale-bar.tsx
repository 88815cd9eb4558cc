import { Alert, Button, Group } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { IconAlertTriangle, IconWifiOff } from "@tabler/icons-react";
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { t } from "../text";

/** Read once, but not the last time: the page still shows the older answer. */
const isStale = (query: Query) => hasFailed(query) && query.state.data !== undefined;
const hasFailed = (query: Query) => query.isActive() && query.state.status === "error";

/** Says when the page shows something old: there is no connection, or reading it again has failed. */
export function StaleBar() {
  const { online } = useNetwork();
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const stale = useSyncExternalStore(
    useCallback((changed) => cache.subscribe(() => queueMicrotask(changed)), [cache]),
    () => cache.getAll().some(isStale),
  );
  if (online && !stale) return null;
  return (
    <Alert
      color="yellow"
      icon={online ? <IconAlertTriangle size={18} /> : <IconWifiOff size={18} />}
      mb="md"
      role="status"
    >
      <Group justify="space-between" gap="xs">
        {t(online ? "stale" : "offline")}
        {online && (
          <Button size="xs" variant="default" onClick={() => void queries.refetchQueries({ predicate: hasFailed })}>
            {t("action.tryAgain")}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
