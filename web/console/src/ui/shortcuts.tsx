// Keyboard: `g` and a letter opens a page, `j` and `k` move between rows, `e` edits, `/` goes to the filter, `?` shows all
// of it.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { menu } from "../navigation";

export const pageKeys = new Map(
  menu.flatMap((group) => group.entries).flatMap((entry) => (entry.shortcut ? [[entry.shortcut, entry] as const] : [])),
);

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

function moveBetweenRows(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main .row-link")];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
}

/** Opens the row that has the focus, or presses the page's edit button, or goes to the first field of its form. */
function edit(): boolean {
  const row = document.activeElement?.closest<HTMLElement>("main .row-link");
  const button = row ?? document.querySelector<HTMLElement>("main [data-edit]");
  button?.click();
  const field = button ? null : document.querySelector<HTMLElement>("main form :is(input, textarea):not(:disabled)");
  field?.focus();
  return Boolean(button ?? field);
}

export function useShortcuts({ help }: { help: () => void }): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let prefix = false;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = event.key;
      if (prefix) {
        prefix = false;
        const entry = pageKeys.get(key);
        if (entry) navigate(entry.path);
        return;
      }
      if (key === "g") prefix = true;
      else if (key === "?") help();
      else if (key === "j") moveBetweenRows(1);
      else if (key === "k") moveBetweenRows(-1);
      else if (key === "e") edit() && event.preventDefault();
      else if (key === "/") {
        const filter = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (filter) {
          event.preventDefault();
          filter.focus();
        }
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [navigate, help]);
}
