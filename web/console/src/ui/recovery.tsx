// Reads again what could not be read, as soon as the server answers: nobody has to load the page anew after an outage or a restart.
import { useNetwork } from "@mantine/hooks";
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { isOutage, whenReady } from "../lib/server-health";
import { replacesNoDraft } from "../session";

const isWaiting = (query: Query) => query.isActive() && query.state.status === "error" && isOutage(query.state.error);
const firstPauseMs = 1000;
const calmMs = 30_000;

export function Recovery() {
  const { online } = useNetwork();
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const waiting = useSyncExternalStore(
    useCallback((changed) => cache.subscribe(() => queueMicrotask(changed)), [cache]),
    () => cache.getAll().some(isWaiting),
  );
  // A server that is ready and still answers 503 is asked less and less often.
  const pause = useRef(firstPauseMs);
  useEffect(() => {
    if (!waiting) {
      const calm = setTimeout(() => void (pause.current = firstPauseMs), calmMs);
      return () => clearTimeout(calm);
    }
    if (!online) return;
    return whenReady(() => {
      pause.current = Math.min(2 * pause.current, calmMs);
      void queries.refetchQueries({ predicate: (query) => isWaiting(query) && replacesNoDraft(query) });
    }, pause.current);
  }, [waiting, online, queries]);
  return null;
}
