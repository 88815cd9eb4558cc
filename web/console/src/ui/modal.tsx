// A dialog that is open as long as it is part of the page. When it goes, the focus returns to where it was.
import { Modal as LibraryModal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";

export function Modal(props: Omit<ModalProps, "opened">) {
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const target = before?.isConnected ? before : document.getElementById("content");
        target?.focus({ preventScroll: true });
      });
    },
    [before],
  );
  return <LibraryModal opened {...props} />;
}
