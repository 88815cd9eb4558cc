// Tooltips for elements that a page has many of: nothing but four handlers until the pointer or the focus arrives.
import type { FloatingPosition } from "@mantine/core";
import { useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { loadablePart } from "../lib/loadable";

const Tooltip = loadablePart(() => import("./tooltip").then((m) => m.Tooltip));

interface Tip {
  /** For the element that has the tooltip. */
  props: {
    ref: Ref<never>;
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: () => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
  /** To be put beside the element. */
  tooltip: ReactNode;
}

/** `label` is shown while the pointer is over the element, or while it has the focus; Escape hides it. */
export function useTip(label: string | null | (() => string), position: FloatingPosition = "top"): Tip {
  const target = useRef<HTMLElement>(null);
  const [shown, setShown] = useState(false);
  const show = () => setShown(true);
  const hide = () => setShown(false);
  return {
    props: {
      ref: target as Ref<never>,
      onPointerEnter: show,
      onPointerLeave: hide,
      onFocus: show,
      onBlur: hide,
      onKeyDown: (event) => event.key === "Escape" && hide(),
    },
    tooltip: shown && label !== null && (
      <Tooltip
        target={target}
        opened
        label={typeof label === "function" ? label() : label}
        position={position}
        multiline
        maw={320}
      />
    ),
  };
}
