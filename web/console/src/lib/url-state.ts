// Filters live in the address bar, so that a link shows a colleague the same list.
import { useCallback } from "react";
import { useSearchParams } from "wouter";

export function useUrlState<Keys extends string>(keys: readonly Keys[]) {
  const [parameters, setParameters] = useSearchParams();
  const values = Object.fromEntries(keys.map((key) => [key, parameters.get(key) ?? ""])) as Record<Keys, string>;
  const change = useCallback(
    (changes: Partial<Record<Keys, string>>) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete("after"); // another list begins with its first page
          for (const [key, value] of Object.entries(changes) as [string, string][]) {
            if (value === "") next.delete(key);
            else next.set(key, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setParameters],
  );
  const clear = useCallback(() => setParameters(new URLSearchParams(), { replace: true }), [setParameters]);
  return { values, change, clear, filtered: keys.some((key) => values[key] !== "") };
}
