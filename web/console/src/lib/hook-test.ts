// Runs a hook in a component of its own, for tests.
import { act, createElement, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach } from "vitest";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const shownNow = new Set<() => void>();
afterEach(() => shownNow.forEach((end) => end()));

/** `now` gives what the hook returned last. The component ends with the test, if not before. */
export function runHook<Result>(hook: () => Result, wrap: (content: ReactNode) => ReactNode = (content) => content) {
  const shown = {} as { result: Result };
  const Component = () => {
    shown.result = hook();
    return null;
  };
  const root = createRoot(document.createElement("div"));
  const render = () => act(() => root.render(wrap(createElement(Component))));
  render();
  const end = () => {
    shownNow.delete(end);
    act(() => root.unmount());
  };
  shownNow.add(end);
  return { now: () => shown.result, render, end };
}
