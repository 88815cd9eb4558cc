// Renders the guides of docs/ to HTML while the application is built. `virtual:guides` lists them with their sections,
// for the navigation and the search; each guide's HTML is a file of its own that is loaded when somebody opens it.
import hljs from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vite";

export interface Section { id: string; heading: string; text: string }
export interface Guide { name: string; title: string; group: string; sections: Section[] }

const groups: Record<string, string[]> = {
  "Run a shop": ["orders", "payments", "fulfilment", "entitlements", "memberships", "messages", "community-fund", "chat", "pictures", "console"],
  "Build on the API": ["api-tour", "api-stability", "identity", "people", "lists", "reports", "live-changes", "events", "billing", "sandbox", "glossary"],
  "Operate": ["operations", "configuration", "commands", "security", "benchmarks"],
  "Develop Guildhall": ["architecture", "adding-a-resource", "decisions"],
};

const slug = (text: string) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
const nameOf = (file: string) => file.replace(/\.md$/, "").replace("adr/", "adr-").replace("adr-README", "adr");

function groupOf(name: string): string {
  if (name.startsWith("adr")) return "Decision records";
  return Object.keys(groups).find((group) => groups[group]!.includes(name)) ?? "Build on the API";
}

function place(name: string): number {
  const order = Object.values(groups).flat();
  return order.includes(name) ? order.indexOf(name) : order.length;
}

export function guides(folder: string): Plugin {
  const files = [...readdirSync(folder), ...readdirSync(join(folder, "adr")).map((file) => `adr/${file}`)]
    .filter((file) => file.endsWith(".md"));

  const markdown = new MarkdownIt({
    html: true,
    highlight: (code, language) =>
      hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : markdown.utils.escapeHtml(code),
  }).use(anchor, { slugify: slug, tabIndex: false });

  // A table or a listing that is wider than the page scrolls by itself, which people must be able to do with the keyboard.
  markdown.renderer.rules["table_open"] = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  markdown.renderer.rules["table_close"] = () => "</table></div>\n";
  const fence = markdown.renderer.rules["fence"]!;
  markdown.renderer.rules["fence"] = (tokens, index, options, env, self) => {
    const diagram = tokens[index]!.info.trim() === "mermaid";
    const html = fence(tokens, index, options, env, self).replace("<pre>", `<pre tabindex="0" role="group" aria-label="${diagram ? "Diagram as text" : "Code"}">`);
    return diagram ? `<figure><figcaption>Diagram, as Mermaid text</figcaption>${html}</figure>` : html;
  };
  // A table whose columns have no names has no header cells either.
  markdown.core.ruler.push("headers", (state) => {
    state.tokens.forEach((token, index) => {
      const close = state.tokens[index + 2];
      if (token.type === "th_open" && state.tokens[index + 1]?.content === "" && close?.type === "th_close") token.tag = close.tag = "td";
    });
    return true;
  });
  // Links to other guides stay inside the reference. Files of the source tree are not served: their names remain as text.
  const withoutPictures = (html: string) => html.replace(/<img\b[^>]*?(?:alt="([^"]*)")?[^>]*>/g, (_, alt = "") => (alt ? `(Picture: ${alt})` : ""));
  markdown.core.ruler.push("links", (state) => {
    for (const block of state.tokens) {
      if (block.type === "html_block") block.content = withoutPictures(block.content);
      const dead: boolean[] = [];
      for (const token of block.children ?? []) {
        if (token.type === "link_open") {
          const href = String(token.attrGet("href") ?? "");
          const [path = "", hash = ""] = href.split("#");
          const target = path === "" ? "" : relative(folder, resolve(dirname(join(folder, state.env.file)), path));
          const isWeb = /^[a-z]+:/i.test(href);
          const isGuide = files.includes(target);
          if (isGuide) token.attrSet("href", `/docs/guides/${nameOf(target)}${hash ? `#${slug(hash)}` : ""}`);
          dead.push(!isWeb && !isGuide && path !== "");
          if (dead.at(-1)) { token.tag = "span"; token.attrs = null; }
        } else if (token.type === "link_close") {
          if (dead.pop()) token.tag = "span";
        } else if (token.type === "html_inline") {
          token.content = withoutPictures(token.content);
        } else if (token.type === "image") {
          token.type = "text";  // pictures of the repository are not part of the program
          token.content = token.content ? `(Picture: ${token.content})` : "";
          token.children = null;
        }
      }
    }
    return true;
  });

  function read(file: string): Guide & { html: string } {
    const source = readFileSync(join(folder, file), "utf8");
    const tokens = markdown.parse(source, { file });
    const sections: Section[] = [];
    tokens.forEach((token, index) => {
      if (token.type === "heading_open") {
        sections.push({ id: String(token.attrGet("id") ?? ""), heading: plain(tokens[index + 1]?.content ?? ""), text: "" });
      } else if ((token.type === "inline" && tokens[index - 1]?.type !== "heading_open") || token.type === "fence") {
        const last = sections.at(-1);
        if (last) last.text += ` ${plain(token.content)}`;
      }
    });
    const name = nameOf(file);
    return { name, title: sections[0]?.heading ?? name, group: groupOf(name), sections, html: markdown.render(source, { file }) };
  }

  const all = () => files.map(read).sort((a, b) => place(a.name) - place(b.name) || a.name.localeCompare(b.name));
  return {
    name: "guides",
    resolveId: (id) => (id === "virtual:guides" || id.startsWith("virtual:guide/") ? `\0${id}` : null),
    load(id) {
      for (const file of files) this.addWatchFile(join(folder, file));
      if (id === "\0virtual:guides") {
        const list = all();
        const listed = list.map(({ html, ...guide }) => guide);
        const loaders = list.map(({ name }) => `${JSON.stringify(name)}: () => import("virtual:guide/${name}")`);
        return `export const guides = ${JSON.stringify(listed)};\nexport const pages = {${loaders.join(",")}};`;
      }
      if (!id.startsWith("\0virtual:guide/")) return null;
      const guide = all().find(({ name }) => name === id.slice("\0virtual:guide/".length));
      return `export default ${JSON.stringify(guide?.html ?? "")};`;
    },
  };
}

function plain(text: string): string {
  return text.replace(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<br\/?>/g, " ");
}

export const docsFolder = (here: string) => {
  const folder = resolve(here, "../../docs");
  if (!existsSync(folder)) throw new Error(`no guides at ${folder}`);
  return folder;
};
