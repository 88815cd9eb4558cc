import { Component, type ReactNode } from "react";
import { t } from "../text";
import { ErrorNotice } from "./basics";

/** The browser's words for a part of the console that could not be loaded. */
const notLoaded = /dynamically imported module|module script|Unable to preload/i;

/** A page that fails shows what happened instead of a blank screen. Trying again loads the page anew, since a part of it may be missing after an update of the server. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ErrorNotice error={notLoaded.test(error.message) ? new Error(t("error.notLoaded")) : error} retry={() => location.reload()} />;
  }
}
