// Components that are loaded when they are needed.
import { createElement, lazy, useState, type ComponentType } from "react";

export interface Loadable<Props extends object> {
  Component: ComponentType<Props>;
  load: () => Promise<ComponentType<Props>>;
}

/** What is loaded already is shown at once, whereas React's lazy components show their fallback first, for up to 300 ms. */
export function loadable<Props extends object>(read: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let loaded: ComponentType<Props> | null = null;
  const load = async () => (loaded ??= await read());
  const Later = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  // A component that is shown stays the same when it has been loaded: another one would lose its state.
  const Component = (props: Props) => createElement(useState({ type: loaded ?? Later })[0].type, props);
  return { Component, load };
}
