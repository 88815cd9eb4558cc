import { Component, type ReactNode } from "react";
import { hasDraft } from "../lib/drafts";
import { whenReady } from "../lib/server-health";
import { t } from "../text";
import { ErrorNotice } from "./basics";

/** The browser's words for a part of the console that could not be loaded. */
const notLoaded = /dynamically imported module|module script|Unable to preload/i;
const reloadedAt = "guildhall.reloaded-at";
const betweenReloadsMs = 60_000;

/**
 * A page that fails shows what happened instead of a blank screen. Trying again loads the page anew, since a part of it may be missing after an
 * update of the server. If a part could not be loaded and nobody is typing, that happens by itself as soon as the server is ready.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };
  private stopWaiting = () => {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error) {
    // Once in a while only: a part that is missing for another reason must not load the page again and again.
    const last = Number(sessionStorage.getItem(reloadedAt) ?? 0);
    if (!notLoaded.test(error.message) || Date.now() - last < betweenReloadsMs) return;
    this.stopWaiting = whenReady(() => {
      if (hasDraft()) return;
      sessionStorage.setItem(reloadedAt, String(Date.now()));
      location.reload();
    });
  }

  override componentWillUnmount() {
    this.stopWaiting();
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <ErrorNotice
        error={notLoaded.test(error.message) ? new Error(t("error.notLoaded")) : error}
        retry={() => location.reload()}
      />
    );
  }
}
