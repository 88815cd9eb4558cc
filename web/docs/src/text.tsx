// Markdown, code and copying.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import json from "highlight.js/lib/languages/json";
import typescript from "highlight.js/lib/languages/typescript";
import MarkdownIt from "markdown-it";
import { useEffect, useMemo, useState } from "preact/hooks";

hljs.registerLanguage("bash", bash);
hljs.registerLanguage("json", json);
hljs.registerLanguage("typescript", typescript);
const markdown = new MarkdownIt();

/** Text of our own document; the renderer escapes any HTML in it. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => markdown.render(text), [text]);
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

export function InlineMarkdown({ text }: { text: string }) {
  const html = useMemo(() => markdown.renderInline(text), [text]);
  return <span dangerouslySetInnerHTML={{ __html: html }} />;
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" class="quiet" onClick={copy} aria-label={`${copied ? "Copied" : "Copy"} ${what}`}>
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
    </button>
  );
}

export function Code({ text, language, label }: { text: string; language: "bash" | "json" | "typescript"; label: string }) {
  const html = useMemo(() => hljs.highlight(text, { language }).value, [text, language]);
  return (
    <pre class="code" tabIndex={0} role="group" aria-label={label}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  );
}

export const pretty = (value: unknown) => JSON.stringify(value, null, 2);
