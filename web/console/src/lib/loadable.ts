// Components that are loaded when they are needed.
import { notifications } from "@mantine/notifications";
import { createElement, lazy, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { t } from "../text";

export interface Loadable<Props extends object> {
  Component: ComponentType<Props>;
  load: () => Promise<ComponentType<Props>>;
}

/** A page. What is loaded already is shown at once, whereas React's lazy components show their fallback first, for up to 300 ms. */
export function loadable<Props extends object>(read: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let loaded: ComponentType<Props> | null = null;
  const load = async () => (loaded ??= await read());
  const Later = lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  // A component that is shown stays the same when it has been loaded: another one would lose its state.
  const Component = (props: Props) => createElement(useState({ type: loaded ?? Later })[0].type, props);
  return { Component, load };
}

const againMs = 5000;

/**
 * A part of a page, such as a menu or a chart. Until it is loaded, `meanwhile` is shown. If it cannot be loaded, the page stays
 * with everything that was typed into it, says so once, and tries again.
 */
export function loadablePart<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
): ComponentType<Props & { meanwhile?: ReactNode }> {
  let loaded: ComponentType<Props> | null = null;
  return ({ meanwhile, ...props }) => {
    const [Part, setPart] = useState(() => loaded);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (Part !== null) return;
      const load = async () => {
        try {
          loaded = await read();
          setPart(() => loaded);
        } catch {
          setFailures(failures + 1);
        }
      };
      if (failures === 1) notifications.show({ id: "not-loaded", message: t("error.notLoaded"), color: "red" });
      const timer = setTimeout(() => void load(), failures === 0 ? 0 : againMs);
      return () => clearTimeout(timer);
    }, [Part, failures]);
    return Part === null ? meanwhile : createElement(Part, props as unknown as Props);
  };
}
