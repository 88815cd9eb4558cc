// Whether the first page has been shown. What it does not need, such as menus that are closed and charts, waits for that.
import { useEffect, useSyncExternalStore } from "react";

let shown = false;
const waiting = new Set<() => void>();

/** The page shows its content: the rest may follow as soon as the browser has time. */
export function contentShown(): void {
  if (shown) return;
  const follow = () => {
    shown = true;
    for (const inform of waiting) inform();
  };
  // Safari has no requestIdleCallback.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(follow, { timeout: 500 });
  else setTimeout(follow, 50);
}

/** Calls contentShown for a page that has no list, or whose list takes long. */
export function useContentShownLater(): void {
  useEffect(() => {
    const timer = setTimeout(contentShown, 400);
    return () => clearTimeout(timer);
  }, []);
}

export function useIsShown(): boolean {
  return useSyncExternalStore(
    (inform) => {
      waiting.add(inform);
      return () => waiting.delete(inform);
    },
    () => shown,
  );
}
