// Whether somebody is typing into a form, or reads something that is shown only once. What others change waits meanwhile: a
// record that is read again would replace what was typed.
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useLayoutEffect } from "react";

let drafts = 0;
/** What was being read again when the first draft began. Read when the last one ends. */
let interrupted: Query[] = [];

export function hasDraft(): boolean {
  return drafts > 0;
}

/** Counts as a draft while `present` is true and the component is shown. */
export function useDraft(present: boolean): void {
  const queries = useQueryClient();
  useLayoutEffect(() => {
    if (!present) return;
    if (drafts++ === 0) {
      interrupted = queries
        .getQueryCache()
        .findAll({ fetchStatus: "fetching", predicate: ({ state }) => state.data !== undefined });
      for (const query of interrupted) void query.cancel({ revert: true });
    }
    return () => {
      if (--drafts > 0) return;
      const waiting = interrupted.splice(0);
      void queries.invalidateQueries({ predicate: (query) => waiting.includes(query) });
    };
  }, [present, queries]);
}
