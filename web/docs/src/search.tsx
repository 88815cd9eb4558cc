// Searches operations, types, error codes and guides in the browser. The index is made when somebody first searches.
import { guides } from "virtual:guides";
import MiniSearch, { type SearchResult } from "minisearch";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Api } from "./openapi";
import { navigate } from "./router";

const shownMax = 20;

interface Entry { id: string; kind: string; title: string; detail: string; text: string }

function entries(api: Api): Entry[] {
  const { document, operations } = api;
  const out: Entry[] = operations.map((operation) => ({
    id: `/docs/api/${operation.operationId}`, kind: operation.method, title: operation.summary, detail: operation.path,
    text: `${operation.operationId} ${operation.description ?? ""}`,
  }));
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    out.push({ id: `/docs/types/${name}`, kind: "Type", title: name, detail: schema.description ?? "", text: Object.keys(schema.properties ?? {}).join(" ") });
  }
  for (const [code, { description }] of Object.entries(document.components.schemas["Error"]?.["x-error-codes"] ?? {})) {
    out.push({ id: `/docs/errors#${code}`, kind: "Error", title: code, detail: description, text: code.replaceAll("_", " ") });
  }
  for (const guide of guides) {
    for (const section of guide.sections) {
      out.push({ id: `/docs/guides/${guide.name}#${section.id}`, kind: "Guide", title: section.heading, detail: guide.title, text: section.text });
    }
  }
  return out.filter((entry, index) => out.findIndex(({ id }) => id === entry.id) === index);
}

/** The best results, in which types come after the operations: who searches wants to do something more often than to see a type. */
function best(results: SearchResult[]): SearchResult[] {
  const shown = results.slice(0, shownMax);
  const others = shown.filter((result) => result["kind"] !== "Type");
  const types = shown.filter((result) => result["kind"] === "Type");
  const end = 1 + Math.max(-1, ...others.map((result, index) => (String(result.id).startsWith("/docs/api/") ? index : -1)));
  return [...others.slice(0, end), ...types, ...others.slice(end)];
}

export function SearchDialog({ api, open, onClose }: { api: Api; open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const searching = query.trim() !== "";
  const asked = useRef(false);
  asked.current ||= searching;
  const index = useMemo(() => {
    if (!asked.current) return null;
    const search = new MiniSearch<Entry>({ fields: ["title", "detail", "text"], storeFields: ["kind", "title", "detail"], searchOptions: { boost: { title: 4, detail: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" } });
    search.addAll(entries(api));
    return search;
  }, [api, asked.current]);
  const results = searching && index ? best(index.search(query)) : [];

  // Before the browser handles the next key, so that what is typed right after Ctrl-K is not lost.
  useLayoutEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (open) return;
    dialog.current?.close();
    setQuery("");
    setActive(0);
  }, [open]);
  useEffect(() => document.getElementById(`result-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);

  const choose = (position: number) => {
    const result = results[position];
    if (!result) return;
    onClose();
    navigate(String(result.id));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, results.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") choose(active);
    else return;
    event.preventDefault();
  };

  return (
    <dialog ref={dialog} class="search" aria-label="Search" onClose={onClose} onClick={(event) => event.target === dialog.current && onClose()}>
      <div class="search-box">
        <input type="text" role="combobox" aria-label="Search operations, types, errors and guides" placeholder="Search operations, types, errors and guides" autocomplete="off"
          aria-expanded={results.length > 0} aria-controls="results" aria-activedescendant={results.length > 0 ? `result-${active}` : undefined}
          value={query} onInput={(event) => { setQuery(event.currentTarget.value); setActive(0); }} onKeyDown={onKeyDown} />
        <button type="button" class="quiet" onClick={onClose}>Close</button>
      </div>
      <div id="results" role="listbox" aria-label="Results" class="results">
        {results.map((result, position) => (
          <div key={result.id} id={`result-${position}`} role="option" aria-selected={position === active} onClick={() => choose(position)}>
            <span class="kind">{result["kind"]}</span>
            <span class="result-text"><strong>{result["title"]}</strong><span class="dimmed">{result["detail"]}</span></span>
          </div>
        ))}
      </div>
      <p class="dimmed small search-note" aria-live="polite">{!searching ? "Arrow keys choose, Enter opens, Esc closes." : results.length === 0 ? "Nothing matches." : `${results.length === shownMax ? `The best ${shownMax}` : results.length} results`}</p>
    </dialog>
  );
}
