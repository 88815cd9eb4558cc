// Follows the shop's changes and reads again what they affect. Nothing else asks the server again and again.
import { Badge } from "@mantine/core";
import { useDocumentVisibility } from "@mantine/hooks";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "./api";
import { hasDraft } from "./lib/drafts";
import { concernedBy, readAgain } from "./lib/refresh";
import { useSession } from "./session";
import { t } from "./text";

const collectMs = 500;

/** Collects what has changed and reads it again half a second later, or when nobody is typing any more. */
class Refresher {
  private readonly stale = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly queries: QueryClient) {}

  changed(entity: string): void {
    this.add(concernedBy(entity));
  }

  everything(): void {
    this.add([""]);
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private add(beginnings: string[]): void {
    for (const beginning of beginnings) this.stale.add(beginning);
    this.timer ??= setTimeout(() => this.refresh(), collectMs);
  }

  private refresh(): void {
    this.timer = hasDraft() ? setTimeout(() => this.refresh(), collectMs) : null;
    if (this.timer !== null) return;
    const beginnings = [...this.stale];
    this.stale.clear();
    void readAgain(this.queries, beginnings);
  }
}

/** Returns whether the connection is lost. A tab in the background has none, since browsers allow only a few for all tabs. */
function useLiveChanges(): boolean {
  const { session, may } = useSession();
  const queries = useQueryClient();
  const visible = useDocumentVisibility() === "visible";
  const allowed = may("data.read");
  const [lost, setLost] = useState(false);
  const position = useRef({ lastEventId: "", opened: false });

  useEffect(() => {
    if (!visible || !allowed) return;
    const end = new AbortController();
    const refresher = new Refresher(queries);
    const onConnection = (isOpen: boolean) => {
      if (end.signal.aborted) return;
      setLost(!isOpen);
      if (!isOpen) return;
      // Without a position the server cannot tell what was missed since the last connection.
      if (position.current.opened && position.current.lastEventId === "") refresher.everything();
      position.current.opened = true;
    };
    const follow = async () => {
      const { lastEventId } = position.current;
      for await (const event of api.changes({
        signal: end.signal,
        onConnection,
        ...(lastEventId && { lastEventId }),
      })) {
        position.current.lastEventId = event.id;
        if (event.type === "change") refresher.changed(event.change.entity);
        else refresher.everything();
      }
    };
    // The server refuses: the session has ended or its rights have changed. Reading it again shows which.
    follow().catch(() => !end.signal.aborted && void queries.invalidateQueries({ queryKey: ["session"] }));
    return () => {
      end.abort();
      refresher.stop();
    };
  }, [visible, allowed, session.sessionId, queries]);
  return lost && visible;
}

/** Follows the changes, and says so when the connection is lost for longer than a moment. */
export function LiveChanges() {
  const lost = useLiveChanges();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(lost), lost ? 3000 : 0);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status">
      {shown && (
        <Badge
          className="live-lost"
          variant="default"
          tt="none"
          fw={400}
          size="lg"
          leftSection={<IconPlugConnectedX size={14} aria-hidden />}
          title={t("live.lostText")}
        >
          {t("live.lost")}
        </Badge>
      )}
    </div>
  );
}
