// A click anywhere in a row opens its record, as a click on its link does.
import type { MouseEvent } from "react";

/** What does something else when it is clicked. */
const controls = "a, button, input, select, textarea, label, summary, [role='button'], [role='menuitem']";

/** Whether the click is one on the row itself: on no control, and not the end of selecting a text. */
export function isRowClick(event: MouseEvent): boolean {
  return (
    !event.defaultPrevented && !(event.target as Element).closest(controls) && getSelection()?.isCollapsed !== false
  );
}

/** The link of the row; null if something else was clicked, or if a text was selected by dragging over it. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (!isRowClick(event)) return null;
  return (event.target as Element).closest("[data-row]")?.querySelector<HTMLAnchorElement>("a.row-link") ?? null;
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
