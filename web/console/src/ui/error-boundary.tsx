import { Component, type ReactNode } from "react";
import { ErrorNotice } from "./basics";

/** A page that fails shows what happened instead of a blank screen. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <ErrorNotice error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}
