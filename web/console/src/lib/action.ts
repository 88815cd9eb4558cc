// Running something that a button or a form starts: one at a time, with its error.
import { useRef, useState } from "react";

export interface Action<Args extends unknown[]> {
  /** Returns whether it succeeded. While it runs, a further call does nothing: a double click acts once. */
  run: (...args: Args) => Promise<boolean>;
  busy: boolean;
  /** Of the last run. */
  error: Error | null;
  clear: () => void;
}

export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>): Action<Args> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef(false);
  const run = async (...args: Args) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await action(...args);
      return true;
    } catch (thrown) {
      setError(thrown as Error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, error, clear: () => setError(null) };
}
