// Keeps room for the notes at the bottom of the page: bars that stay in view move above them, and the end of the page can be scrolled
// out from under them (style.css). So no note covers a control.
import { useEffect } from "react";

export function ToastRoom() {
  useEffect(() => {
    let frame = 0;
    const observer = new ResizeObserver(([entry]) => {
      const height = (entry!.target as HTMLElement).offsetHeight;
      document.documentElement.style.setProperty("--notes", height > 0 ? `${height + 12}px` : "0px");
    });
    // The library adds their container a moment after the page.
    const begin = () => {
      const notes = document.querySelector(".mantine-Notifications-root[data-position='bottom-right']");
      if (notes) observer.observe(notes);
      else frame = requestAnimationFrame(begin);
    };
    begin();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, []);
  return null;
}
