// Running what a button stands for: one at a time, with the outcome as a note, and with the new state afterwards.
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";
import { calls, sandbox } from "./state";

/** What came of a webhook that an action has caused. */
export interface Delivered {
  delivered: boolean;
  status: number;
}

export function showNote(message: string, failed: boolean): void {
  notifications.show({ message, color: failed ? "red" : "green", autoClose: failed ? 10_000 : 3000, withBorder: true });
}

export function showDelivery({ delivered, status }: Delivered): void {
  if (delivered) showNote(`The server accepted the webhook (${status}).`, false);
  else showNote(status === 0 ? "The webhook is waiting: it is delayed, or the server is not responding." : `The server refused the webhook (${status}).`, true);
}

interface Action {
  /** The name of what is running, so that the right button shows it. */
  running: string | null;
  /** Shows the error of `work` as a note, and returns null then. */
  run: <T>(name: string, work: () => Promise<T>) => Promise<T | null>;
}

export function useAction(): Action {
  const [running, setRunning] = useState<string | null>(null);
  const busy = useRef(false);
  const run = async <T,>(name: string, work: () => Promise<T>): Promise<T | null> => {
    if (busy.current) return null;
    busy.current = true;
    setRunning(name);
    try {
      return await work();
    } catch (thrown) {
      showNote((thrown as Error).message, true);
      return null;
    } finally {
      busy.current = false;
      setRunning(null);
      void sandbox.refresh();
      void calls.refresh();
    }
  };
  return { running, run };
}
