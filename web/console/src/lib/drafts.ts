// Whether somebody is typing into a form, or reads something that is shown only once. Live changes wait meanwhile: a record
// that is read again would replace what was typed.
import { useEffect } from "react";

let drafts = 0;

export function hasDraft(): boolean {
  return drafts > 0;
}

/** Counts as a draft while `present` is true and the component is shown. */
export function useDraft(present: boolean): void {
  useEffect(() => {
    if (!present) return;
    ++drafts;
    return () => void --drafts;
  }, [present]);
}
