// A message as the buyer sees it: in the chat, or in a mail program.
import { Avatar, Box, Group, Text } from "@mantine/core";
import { Fragment, useEffect, useRef, type ReactNode } from "react";
import type { MessagePreview } from "../api";
import { useBranding } from "../lib/branding";
import { t } from "../text";

export function MessagePreviewPanel({ preview, medium }: { preview: MessagePreview; medium: "direct" | "email" }) {
  return medium === "direct" ? <DirectMessage preview={preview} /> : <Email preview={preview} />;
}

function DirectMessage({ preview }: { preview: MessagePreview }) {
  const branding = useBranding();
  const name = branding.data?.record.shopName ?? "";
  return (
    <Group
      align="flex-start"
      wrap="nowrap"
      gap="sm"
      p="md"
      bg="var(--mantine-color-default-hover)"
      style={{ borderRadius: 12 }}
    >
      <Avatar radius="xl" src={branding.data?.record.logo?.thumbnailUrl ?? null} name={name} color="initials" alt="" />
      <Box miw={0}>
        <Group gap={6}>
          <Text fw={600} size="sm">
            {name}
          </Text>
          <Text size="xs" px={5} bg="indigo.7" c="white" style={{ borderRadius: 4 }}>
            {t("messages.app")}
          </Text>
        </Group>
        <Text component="div" size="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          {lines(preview.direct)}
        </Text>
        {preview.link && (
          <Text
            component="span"
            display="inline-block"
            mt={8}
            px={14}
            py={6}
            size="sm"
            fw={500}
            bg="gray.7"
            c="white"
            style={{ borderRadius: 6 }}
          >
            {preview.button} ↗
          </Text>
        )}
      </Box>
    </Group>
  );
}

/** The part of the platform's mark-up that the texts use. */
function lines(text: string): ReactNode {
  return text.split("\n").map((line, index) => (
    <Fragment key={index}>
      {index > 0 && "\n"}
      {line.startsWith("-# ") ? (
        <Text component="span" size="xs" c="dimmed">
          {inline(line.slice(3))}
        </Text>
      ) : (
        inline(line)
      )}
    </Fragment>
  ));
}

const markup = /\*\*(.+?)\*\*|`([^`]+)`|<t:(\d+):D>|\[([^\]]+)\]\(<[^>]*>\)|<(https?:[^>]+)>|\\([!-/:-@[-`{-~])/g;

function inline(text: string): ReactNode[] {
  const found: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(markup)) {
    if (match.index > at) found.push(text.slice(at, match.index));
    const [whole, bold, code, date, label, url, escaped] = match;
    if (bold) found.push(<b key={match.index}>{inline(bold)}</b>);
    else if (code) found.push(<code key={match.index}>{code}</code>);
    else if (date)
      found.push(
        new Date(Number(date) * 1000).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" }),
      );
    else if (label ?? url) found.push(<u key={match.index}>{label ?? url}</u>);
    else found.push(escaped);
    at = match.index + whole.length;
  }
  return [...found, text.slice(at)];
}

function Email({ preview }: { preview: MessagePreview }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    shadow.replaceChildren(contentOf(preview.emailHtml));
  }, [preview.emailHtml]);
  return (
    <Box style={{ border: "1px solid var(--mantine-color-default-border)", borderRadius: 12, overflow: "hidden" }}>
      <Box px="md" py="sm" style={{ borderBottom: "1px solid var(--mantine-color-default-border)" }}>
        <Text size="xs" c="dimmed">
          {t("messages.subject")}
        </Text>
        <Text fw={600}>{preview.subject}</Text>
      </Box>
      <div ref={host} />
    </Box>
  );
}

/** The e-mail's content. The page's policy forbids style attributes, so each style is set by itself; links lead nowhere. */
function contentOf(html: string): HTMLElement {
  const body = new DOMParser().parseFromString(html, "text/html").body;
  const root = document.createElement("div");
  const copy = (from: Element, to: HTMLElement) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent ?? "");
      if (!(node instanceof Element) || ["SCRIPT", "STYLE"].includes(node.tagName)) continue;
      const made = document.createElement(node.tagName);
      for (const name of ["align", "width", "height", "cellpadding", "cellspacing", "role", "src", "alt"]) {
        const value = node.getAttribute(name);
        if (value !== null) made.setAttribute(name, value);
      }
      made.style.cssText = node.getAttribute("style") ?? "";
      copy(node, made);
      to.append(made);
    }
  };
  root.style.cssText = body.getAttribute("style") ?? "";
  copy(body, root);
  return root;
}
