import { guides } from "virtual:guides";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import favicon from "./favicon.svg";
import { loadApi, type Api } from "./openapi";
import { ErrorsPage, GuidePage, Home, Method, Missing, OperationPage, TagPage, TypePage } from "./pages";
import { followLink, Link, useAddress } from "./router";
import { SearchDialog } from "./search";
import "./style.css";

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;  // not a valid escape: no page has this name
  }
}

function Page({ api, path, hash }: { api: Api; path: string; hash: string }) {
  const [, , section = "", page = ""] = path.split("/").map(decoded);
  if (section === "") return <Home api={api} />;
  if (section === "api") return <OperationPage api={api} id={page} />;
  if (section === "tags") return <TagPage api={api} name={page} />;
  if (section === "types") return <TypePage api={api} name={page} />;
  if (section === "errors") return <ErrorsPage api={api} />;
  if (section === "guides") return <GuidePage name={page} hash={hash} />;
  return <Missing />;
}

function Navigation({ api, path }: { api: Api; path: string }) {
  const groups = [...new Set(guides.map(({ group }) => group))];
  const current = (to: string) => (path === to ? "page" : undefined);
  const shown = api.byId.get(path.split("/")[3] ?? "")?.tags[0];
  const guideShown = guides.find(({ name }) => path === `/docs/guides/${name}`)?.group;
  return (
    <nav aria-label="Reference">
      <ul class="top">
        <li><Link to="/docs" aria-current={current("/docs")}>Start</Link></li>
        <li><Link to="/docs/errors" aria-current={current("/docs/errors")}>Errors</Link></li>
      </ul>
      <h2 class="nav-heading">Operations</h2>
      {api.document.tags.map(({ name }) => (
        <details key={name} open={name === shown || path === `/docs/tags/${encodeURIComponent(name)}`}>
          <summary>{name}</summary>
          <ul>
            {api.operations.filter((operation) => operation.tags.includes(name)).map((operation) => (
              <li key={operation.operationId}>
                <Link to={`/docs/api/${operation.operationId}`} aria-current={current(`/docs/api/${operation.operationId}`)}>
                  <Method method={operation.method} /><span>{operation.summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <h2 class="nav-heading">Guides</h2>
      {groups.map((group) => (
        <details key={group} open={group === guideShown}>
          <summary>{group}</summary>
          <ul>
            {guides.filter((guide) => guide.group === group).map((guide) => (
              <li key={guide.name}><Link to={`/docs/guides/${guide.name}`} aria-current={current(`/docs/guides/${guide.name}`)}><span>{guide.title}</span></Link></li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function App({ api }: { api: Api }) {
  const { path, hash } = useAddress();
  const [searching, setSearching] = useState(false);
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = (event.target as Element).closest("input, textarea, select");
      if ((event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !typing)) {
        event.preventDefault();
        setSearching(true);
      } else if (event.key === "Escape") {
        setMenu(false);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  // A new page begins at its heading, for readers of the screen and for those who use the keyboard.
  useEffect(() => {
    setMenu(false);
    const heading = main.current?.querySelector("h1");
    document.title = heading && path !== "/docs" ? `${heading.textContent} · Guildhall reference` : "Guildhall reference";
    if (first.current) {
      first.current = false;
      return;
    }
    if (hash) document.getElementById(hash)?.scrollIntoView();
    else scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  }, [path, hash]);

  return (
    <div class="app" onClick={followLink}>
      <a class="skip-link" href="#main">Skip to the content</a>
      <header>
        <button type="button" class="quiet menu-button" aria-expanded={menu} aria-controls="sidebar" onClick={() => setMenu(!menu)}>Menu</button>
        <Link to="/docs" class="brand"><img src={favicon} alt="" width="24" height="24" /><span>Guildhall <span class="dimmed">reference</span></span></Link>
        <button type="button" class="search-button" aria-label="Search (Ctrl K)" onClick={() => setSearching(true)}><span>Search</span><kbd aria-hidden="true">Ctrl K</kbd></button>
        <a class="console-link" href="/console/">Console</a>
      </header>
      <div id="sidebar" class={menu ? "sidebar open" : "sidebar"}><Navigation api={api} path={path.replace(/\/$/, "")} /></div>
      <main id="main" ref={main} tabIndex={-1}><Page api={api} path={path.replace(/\/$/, "")} hash={hash} /></main>
      <SearchDialog api={api} open={searching} onClose={() => setSearching(false)} />
    </div>
  );
}

const root = document.getElementById("root")!;
loadApi().then(
  (api) => render(<App api={api} />, root),
  (error: Error) => render(<main class="failure"><h1>The reference cannot be shown</h1><p>{error.message} Load the page again in a moment.</p></main>, root),
);
