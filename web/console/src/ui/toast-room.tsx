// Keeps room for the notes at the bottom of the page: bars that stay in view move above them, and the end of the page can be scrolled
// out from under them (style.css). So no note covers a control.
import { useEffect } from "react";

export function ToastRoom() {
  useEffect(() => {
    const notes = document.querySelector<HTMLElement>(".mantine-Notifications-root[data-position='bottom-right']");
    if (!notes) return;
    const observer = new ResizeObserver(() => {
      const height = notes.offsetHeight;
      document.documentElement.style.setProperty("--notes", height > 0 ? `${height + 12}px` : "0px");
    });
    observer.observe(notes);
    return () => observer.disconnect();
  }, []);
  return null;
}
