// A click anywhere in a row opens its record, as a click on its link does.
import type { MouseEvent } from "react";

/** What does something else when it is clicked. */
const controls = "a, button, input, select, textarea, label, summary, [role='button'], [role='menuitem']";

/** The link of the row; null if something else was clicked, or if a text was selected by dragging over it. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const target = event.target as Element;
  if (event.defaultPrevented || target.closest(controls) || getSelection()?.isCollapsed === false) return null;
  return target.closest("[data-row]")?.querySelector<HTMLAnchorElement>("a.row-link") ?? null;
}

function openRow(event: MouseEvent): void {
  const link = linkOf(event);
  if (!link) return;
  if (event.button === 1 || event.ctrlKey || event.metaKey) window.open(link.href, "_blank", "noopener");
  else if (event.button === 0) link.click();
}

/** For the element around the rows. The middle button opens a new tab, and does not begin to scroll. */
export const rowEvents = {
  onClick: openRow,
  onAuxClick: openRow,
  onMouseDown: (event: MouseEvent) => {
    if (event.button === 1 && linkOf(event)) event.preventDefault();
  },
};
