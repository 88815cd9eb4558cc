// Loads a page and its record while the pointer rests on a link to it, so that it is there when the link is opened.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../api";
import { routeOf } from "../navigation";

const restMs = 80;
const base = "/console";

export function usePrefetch(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const prefetch = (path: string) => {
      const { route, id } = routeOf(path);
      // A page that cannot be loaded now says so when it is opened.
      void route?.load().catch(() => {});
      if (!route?.record || id === "new") return;
      const record = `${route.record}/${id}`;
      void queries.prefetchQuery({ queryKey: [record], queryFn: () => api.read(record) });
    };
    const onRest = (event: Event) => {
      clearTimeout(timer);
      const link =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(`a[href^="${base}"]`) : null;
      if (link) timer = setTimeout(() => prefetch(link.pathname.slice(base.length) || "/"), restMs);
    };
    for (const name of ["pointerover", "focusin"]) addEventListener(name, onRest, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of ["pointerover", "focusin"]) removeEventListener(name, onRest);
    };
  }, [queries]);
}
