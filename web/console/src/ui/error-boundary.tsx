import { Component, type ReactNode } from "react";
import { ErrorNotice } from "./basics";

/** A page that fails shows what happened instead of a blank screen. Trying again loads the page anew, since a part of it may be missing after an update of the server. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <ErrorNotice error={this.state.error} retry={() => location.reload()} />;
  }
}
