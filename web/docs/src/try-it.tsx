// Sends a request with the reader's own session. The server decides what the reader may do, as for every other request.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Operation, Parameter } from "./openapi";
import { Code, pretty } from "./text";

interface Session { user: { userId: string; tenantId: string } }
interface Answer { status: number; milliseconds: number; headers: string; body: string; isJson: boolean }

const sendable = new Set(["path", "query"]);
const offeredHeaders = new Set(["If-Match", "Idempotency-Key"]);

function useSession(): Session | null | undefined {
  const [session, setSession] = useState<Session | null | undefined>(undefined);
  useEffect(() => {
    // A reader without a session gets an error without one, which is not shown: the text below the heading says it.
    fetch("/auth/me", { headers: { accept: "application/json" } })
      .then((reply) => reply.json())
      .then((body: { session?: Session }) => setSession(body.session ?? null), () => setSession(null));
  }, []);
  return session;
}

function addressOf(operation: Operation, values: Record<string, string>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of operation.parameters) {
    const value = values[name];
    if (place !== "query" || !value) continue;
    const [key = "", ...rest] = value.split("=");  // `erpId=4711` of metadata
    if (schema.type === "object" && rest.length > 0) query.set(`${name}[${key}]`, rest.join("="));
    else query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

async function send(operation: Operation, values: Record<string, string>, body: string): Promise<Answer> {
  const headers: Record<string, string> = { accept: "application/json", prefer: "handling=strict" };
  for (const { name, in: place } of operation.parameters) {
    if (place === "header" && offeredHeaders.has(name) && values[name]) headers[name] = values[name];
  }
  const init: RequestInit = { method: operation.method, headers, credentials: "same-origin", redirect: "manual" };
  if (operation.requestBody) {
    headers["content-type"] = "application/json";
    init.body = body;
  }
  const started = performance.now();
  const reply = await fetch(addressOf(operation, values), init);
  const text = await reply.text();
  const milliseconds = Math.round(performance.now() - started);
  let isJson = true, shown = text;
  try { shown = pretty(JSON.parse(text)); } catch { isJson = false; }
  const kept = [...reply.headers].filter(([name]) => /^(etag|x-request-id|ratelimit|retry-after|preference|idempotent|location|allow)/.test(name));
  return { status: reply.status, milliseconds, headers: kept.map(([name, value]) => `${name}: ${value}`).join("\n"), body: shown, isJson };
}

export function TryIt({ operation }: { operation: Operation }) {
  const session = useSession();
  const fields: Parameter[] = operation.parameters.filter(({ name, in: place }) => sendable.has(place) || (place === "header" && offeredHeaders.has(name)));
  const media = operation.requestBody?.content["application/json"];
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(media?.example === undefined ? "{}" : pretty(media.example));
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const writes = operation.method !== "GET";
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.firstElementChild?.scrollIntoView({ block: "nearest" }), [answer, trouble]);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setTrouble("");
    try {
      setAnswer(await send(operation, values, body));
    } catch {
      setAnswer(null);
      setTrouble("The server cannot be reached. Check your connection and send the request again.");
    }
    setBusy(false);
  };

  return (
    <form class="try-it" onSubmit={submit}>
      <p class="dimmed">
        {session === undefined && "Checking your session …"}
        {session === null && <>You are not signed in. <a href="/console/">Sign in to the console</a> first; this page then uses the same session.</>}
        {session && <>You are signed in to the tenant <strong>{session.user.tenantId}</strong>.{writes && " This request changes real data."}</>}
      </p>
      {fields.map((field) => (
        <label key={field.name} class="input">
          <span><code>{field.name}</code>{field.required && <span class="required"> required</span>}</span>
          {field.schema.enum ? (
            <select value={values[field.name] ?? ""} onChange={(event) => setValues({ ...values, [field.name]: event.currentTarget.value })}>
              <option value="">any</option>
              {field.schema.enum.map((value) => <option key={value}>{value}</option>)}
            </select>
          ) : (
            <input value={values[field.name] ?? ""} required={field.required ?? false} placeholder={field.example === undefined ? "" : String(field.example)}
              autocomplete="off" onInput={(event) => setValues({ ...values, [field.name]: event.currentTarget.value })} />
          )}
        </label>
      ))}
      {media && (
        <label class="input">
          <span>Body</span>
          <textarea value={body} rows={Math.min(16, body.split("\n").length + 1)} spellcheck={false} onInput={(event) => setBody(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="primary" disabled={busy}>Send {operation.method} request</button>
      <div class="outcome" ref={outcome} aria-live="polite">
        {trouble && <p class="trouble">{trouble}</p>}
        {answer && (
          <div class="answer">
            <p><span class={`status status-${String(answer.status)[0]}`}>{answer.status === 0 ? "Redirect" : answer.status}</span> <span class="dimmed">after {answer.milliseconds} ms</span></p>
            {answer.headers && <pre class="code" tabIndex={0} role="group" aria-label="Headers of the reply"><code>{answer.headers}</code></pre>}
            {answer.body && (answer.isJson
              ? <Code text={answer.body} language="json" label="Body of the reply" />
              : <pre class="code" tabIndex={0} role="group" aria-label="Body of the reply"><code>{answer.body}</code></pre>)}
          </div>
        )}
      </div>
    </form>
  );
}
