// Fields of a type, with their rules, meaning and examples. Nested types open in place.
import { typeName, withoutNull, type OpenApi, type Schema } from "./openapi";
import { Link } from "./router";
import { InlineMarkdown } from "./text";

const depthMax = 5;

function words(schema: Schema): string {
  const plain = withoutNull(schema).schema;
  const name = typeName(plain);
  if (name) return name;
  if (plain.anyOf) return plain.anyOf.map(words).join(" or ");
  if (plain.type === "array") return `list of ${words(plain.items ?? {})}`;
  if (plain.enum) return "one of";
  if (plain.format === "date-time") return "time";
  return plain.format ? `${plain.type} (${plain.format})` : plain.type ?? "any value";
}

function rules(schema: Schema): string[] {
  const out: string[] = [];
  if (schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) out.push(`${schema.minimum} to ${schema.maximum}`);
  else if (schema.minimum !== undefined) out.push(`at least ${schema.minimum}`);
  if (schema.maxLength !== undefined && schema.minLength === schema.maxLength) out.push(`${schema.maxLength} characters`);
  else if (schema.maxLength !== undefined) out.push((schema.minLength ?? 0) > 1 ? `${schema.minLength} to ${schema.maxLength} characters` : `at most ${schema.maxLength} characters`);
  if (schema.minItems) out.push(`at least ${schema.minItems}`);
  if (schema.pattern) out.push(`matches ${schema.pattern}`);
  return out;
}

/** The named type inside a schema: of the value itself, of its elements, or the first of several. */
function innerType(schema: Schema): string {
  const plain = withoutNull(schema).schema;
  return typeName(plain) || (plain.items ? innerType(plain.items) : "");
}

export function TypeLabel({ schema }: { schema: Schema }) {
  const { schema: plain, nullable } = withoutNull(schema);
  const inner = innerType(schema);
  const text = words(schema);
  return (
    <span class="type">
      {inner && text.endsWith(inner) ? <>{text.slice(0, -inner.length)}<Link to={`/docs/types/${inner}`}>{inner}</Link></> : text}
      {plain.enum && <> {plain.enum.map((value, index) => <span key={value}>{index > 0 && ", "}<code>{value}</code></span>)}</>}
      {nullable && " or null"}
      {rules(plain).map((rule) => <span key={rule}> · {rule}</span>)}
    </span>
  );
}

export function Example({ value }: { value: unknown }) {
  const text = JSON.stringify(value);
  if (text === undefined || text.length > 80 || text === "null" || (typeof value === "object" && value !== null && !Array.isArray(value))) return null;
  return <span class="example">Example: <code>{text}</code></span>;
}

export function Fields({ document, type, depth = 0 }: { document: OpenApi; type: string; depth?: number }) {
  const schema = document.components.schemas[type];
  if (!schema?.properties) return null;
  return (
    <ul class="fields">
      {Object.entries(schema.properties).map(([name, property]) => {
        const inner = innerType(property);
        const enumerated = withoutNull(property).schema.enum;
        return (
          <li key={name}>
            <div class="field-head">
              <code class="field-name">{name}</code>
              {enumerated && enumerated.length > 12
                ? <span class="type">one of {enumerated.length} codes, see <Link to="/docs/errors">errors</Link></span>
                : <TypeLabel schema={property} />}
              {schema.required?.includes(name) && <span class="required">required</span>}
            </div>
            {property.description && <p><InlineMarkdown text={property.description} /></p>}
            {property.examples && !inner && !enumerated && <Example value={property.examples[0]} />}
            {inner && depth < depthMax && document.components.schemas[inner]?.properties && (
              <details>
                <summary>Fields of {inner}</summary>
                <Fields document={document} type={inner} depth={depth + 1} />
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}
