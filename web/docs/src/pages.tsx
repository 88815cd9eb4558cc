import { guides, pages } from "virtual:guides";
import { useEffect, useState } from "preact/hooks";
import { typeName, type Api, type Operation, type Parameter, type Reply } from "./openapi";
import { Link } from "./router";
import { Example, Fields, TypeLabel } from "./schema";
import { Code, CopyButton, InlineMarkdown, Markdown, pretty } from "./text";
import { TryIt } from "./try-it";

export const Method = ({ method }: { method: string }) => <span class={`method method-${method.toLowerCase()}`}>{method}</span>;

export function Home({ api }: { api: Api }) {
  const { document, operations } = api;
  return (
    <article>
      <h1 tabIndex={-1}>Guildhall reference</h1>
      <p class="lead">Everything you need to work with this installation: {operations.length} operations with their types and errors, and the guides. Version {document.info.version}.</p>
      <div class="cards">
        {document.tags.map((tag) => {
          const first = operations.find((operation) => operation.tags.includes(tag.name));
          return first && (
            <Link key={tag.name} to={`/docs/tags/${encodeURIComponent(tag.name)}`} class="card">
              <strong>{tag.name}</strong>
              <span>{tag.description}</span>
            </Link>
          );
        })}
      </div>
      <h2>Before you begin</h2>
      <Markdown text={document.info.description} />
      <p><Link to="/docs/errors">All error codes</Link> · <a href="/openapi.json">openapi.json</a> for programs · <a href="/docs/licences.txt">Licences</a></p>
    </article>
  );
}

export function TagPage({ api, name }: { api: Api; name: string }) {
  const tag = api.document.tags.find((each) => each.name === name);
  if (!tag) return <Missing />;
  return (
    <article>
      <h1 tabIndex={-1}>{tag.name}</h1>
      <p class="lead">{tag.description}</p>
      <ul class="operations">
        {api.operations.filter((operation) => operation.tags.includes(name)).map((operation) => (
          <li key={operation.operationId}>
            <Link to={`/docs/api/${operation.operationId}`}>
              <strong>{operation.summary}</strong>
              <span class="request"><Method method={operation.method} /> <code>{operation.path}</code></span>
            </Link>
          </li>
        ))}
      </ul>
    </article>
  );
}

function Parameters({ title, list }: { title: string; list: Parameter[] }) {
  if (list.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="fields">
        {list.map((parameter) => (
          <li key={parameter.name}>
            <div class="field-head">
              <code class="field-name">{parameter.name}</code>
              <TypeLabel schema={parameter.schema} />
              {parameter.required && <span class="required">required</span>}
            </div>
            {parameter.description && <p><InlineMarkdown text={parameter.description} /></p>}
            {parameter.example !== undefined && <Example value={parameter.example} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReplyBlock({ api, status, reply }: { api: Api; status: string; reply: Reply }) {
  const media = reply.content?.["application/json"] ?? reply.content?.["text/event-stream"];
  const type = typeName(media?.schema);
  const isError = status === "default" || Number(status) >= 400;
  const example = media?.example ?? api.document.components.schemas[type]?.examples?.[0];
  return (
    <details class="reply" open={Number(status) < 300}>
      <summary><span class={`status status-${status[0]}`}>{status === "default" ? "other" : status}</span> {reply.description.replaceAll("`", "")}</summary>
      {media && !type && <p><TypeLabel schema={media.schema} /></p>}
      {type && !isError && <p>Body: <Link to={`/docs/types/${type}`}>{type}</Link></p>}
      {example !== undefined && <Code text={pretty(example)} language="json" label={`Example of a ${status} reply`} />}
      {type && !isError && (
        <details>
          <summary>Fields of {type}</summary>
          <Fields document={api.document} type={type} />
        </details>
      )}
      {reply.headers && (
        <p class="dimmed small">Headers: {Object.keys(reply.headers).map((name, index) => <span key={name}>{index > 0 && ", "}<code>{name}</code></span>)}</p>
      )}
    </details>
  );
}

function Samples({ operation }: { operation: Operation }) {
  const samples = operation["x-codeSamples"] ?? [];
  const [chosen, setChosen] = useState(0);
  const sample = samples[chosen] ?? samples[0];
  if (!sample) return null;
  const source = sample.source.replaceAll(/https?:\/\/[^/'"]+/g, (origin, index: number) => (index < 200 ? location.origin : origin));
  const select = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const next = (chosen + (event.key === "ArrowRight" ? 1 : samples.length - 1)) % samples.length;
    setChosen(next);
    (event.currentTarget as HTMLElement).querySelectorAll("button")[next]?.focus();
  };
  return (
    <section class="panel">
      <div class="panel-head">
        <div role="tablist" aria-label="Language of the example" onKeyDown={select}>
          {samples.map((each, index) => (
            <button type="button" role="tab" key={each.label} id={`sample-${index}`} aria-controls="sample" aria-selected={index === chosen} tabIndex={index === chosen ? 0 : -1} onClick={() => setChosen(index)}>{each.label}</button>
          ))}
        </div>
        <CopyButton text={source} what="the example" />
      </div>
      <div role="tabpanel" id="sample" aria-labelledby={`sample-${chosen}`}>
        <Code text={source} language={sample.label === "curl" ? "bash" : "typescript"} label={`The request with ${sample.label}`} />
      </div>
    </section>
  );
}

/** Uploads and streams need more than a form. */
function canBeTried(operation: Operation): boolean {
  const body = operation.requestBody?.content;
  const streams = Object.values(operation.responses).some((reply) => reply.content?.["text/event-stream"]);
  return operation["x-codeSamples"] !== undefined && !streams && (!body || "application/json" in body);
}

export function OperationPage({ api, id }: { api: Api; id: string }) {
  const operation = api.byId.get(id);
  if (!operation) return <Missing />;
  const media = Object.values(operation.requestBody?.content ?? {})[0];
  const type = typeName(media?.schema);
  const tag = operation.tags[0] ?? "";
  // The document lists the operation's own errors at the end of the description, for other tools.
  const [purpose, errors] = (operation.description ?? "").split("\n\nBesides the errors that every operation has:\n");
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  return (
    <article class="operation">
      <div class="head">
        <p class="crumbs"><Link to={`/docs/tags/${encodeURIComponent(tag)}`}>{tag}</Link></p>
        <h1 tabIndex={-1}>{operation.summary}</h1>
        <p class="request"><Method method={operation.method} /> <code>{operation.path}</code> <CopyButton text={operation.path} what="the path" /></p>
        {purpose && <Markdown text={purpose} />}
      </div>
      <div class="beside">
        <Samples operation={operation} />
        {canBeTried(operation) && (
          <section class="panel">
            <div class="panel-head"><h2>Try it</h2></div>
            <TryIt key={operation.operationId} operation={operation} />
          </section>
        )}
      </div>
      <div class="text">
        <Parameters title="Path" list={of("path")} />
        <Parameters title="Query" list={of("query")} />
        {media && (
          <section>
            <h2>Body</h2>
            {type ? <><p><Link to={`/docs/types/${type}`}>{type}</Link></p><Fields document={api.document} type={type} /></> : <p>{media.schema.description ?? `The bytes, as ${Object.keys(operation.requestBody?.content ?? {}).join(", ")}.`}</p>}
          </section>
        )}
        <Parameters title="Headers" list={of("header")} />
        <section>
          <h2>Replies</h2>
          {Object.entries(operation.responses).map(([status, reply]) => <ReplyBlock key={status} api={api} status={status} reply={reply} />)}
        </section>
        {errors && <section><h2>Errors of this operation</h2><Markdown text={errors} /></section>}
      </div>
    </article>
  );
}

export function TypePage({ api, name }: { api: Api; name: string }) {
  const schema = api.document.components.schemas[name];
  if (!schema) return <Missing />;
  const ref = `"#/components/schemas/${name}"`;
  const uses = api.operations.filter((operation) => JSON.stringify([operation.requestBody, operation.responses]).includes(ref));
  const shown = uses.length > 40 ? [] : uses;
  return (
    <article class="operation">
      <div class="head">
        <p class="crumbs">Type</p>
        <h1 tabIndex={-1}>{name}</h1>
        {schema.description && <p class="lead">{schema.description}</p>}
      </div>
      <div class="text">
        <h2>Fields</h2>
        <Fields document={api.document} type={name} />
        {shown.length > 0 && <h2>Used by</h2>}
        <ul class="operations">
          {shown.map((operation) => (
            <li key={operation.operationId}><Link to={`/docs/api/${operation.operationId}`}><strong>{operation.summary}</strong><span class="request"><Method method={operation.method} /> <code>{operation.path}</code></span></Link></li>
          ))}
        </ul>
      </div>
      <div class="beside">
        {schema.examples && (
          <section class="panel">
            <div class="panel-head"><h2>Example</h2><CopyButton text={pretty(schema.examples[0])} what="the example" /></div>
            <Code text={pretty(schema.examples[0])} language="json" label={`Example of ${name}`} />
          </section>
        )}
      </div>
    </article>
  );
}

export function ErrorsPage({ api }: { api: Api }) {
  const codes = Object.entries(api.document.components.schemas["Error"]?.["x-error-codes"] ?? {});
  return (
    <article>
      <h1 tabIndex={-1}>Errors</h1>
      <p class="lead">Every reply with a status of 400 or above has the same body: a sentence for people, a code for programs, and for validation errors every wrong field.</p>
      <Code text={pretty(api.document.components.responses["BadRequest"]?.content?.["application/json"]?.example)} language="json" label="Example of an error" />
      <h2>Codes</h2>
      <ul class="fields">
        {codes.sort(([a], [b]) => a.localeCompare(b)).map(([code, { status, description }]) => (
          <li key={code} id={code}>
            <div class="field-head"><code class="field-name">{code}</code><span class={`status status-${String(status)[0]}`}>{status}</span></div>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </article>
  );
}

export function GuidePage({ name, hash }: { name: string; hash: string }) {
  const [html, setHtml] = useState<string | null>(null);
  const guide = guides.find((each) => each.name === name);
  useEffect(() => {
    let wanted = true;
    setHtml(null);
    pages[name]?.().then((page) => wanted && setHtml(page.default));
    return () => { wanted = false; };
  }, [name]);
  useEffect(() => {
    if (html !== null && hash) document.getElementById(hash)?.scrollIntoView();
  }, [html, hash]);
  if (!guide) return <Missing />;
  const parts = guide.sections.slice(1);
  return (
    <article class="guide">
      {html === null ? <h1 tabIndex={-1}>{guide.title}</h1> : <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />}
      {parts.length > 2 && (
        <nav class="contents" aria-label="On this page">
          <strong>On this page</strong>
          <ul>{parts.map((section) => <li key={section.id}><Link to={`/docs/guides/${name}#${section.id}`}>{section.heading}</Link></li>)}</ul>
        </nav>
      )}
    </article>
  );
}

export function Missing() {
  return (
    <article>
      <h1 tabIndex={-1}>Page not found</h1>
      <p class="lead">The operation, type or guide may have been renamed. Search for it, or <Link to="/docs">go to the start</Link>.</p>
    </article>
  );
}
