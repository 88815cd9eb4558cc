// Products from and to a CSV file. A dry run compares the file with the shop and says for every line what will happen.
import { Anchor, Badge, Button, FileInput, Group, List, Progress, Stack, Text } from "@mantine/core";
import { IconFileTypeCsv } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey, type Page, type QueryValue } from "@guildhall/client";
import { useState } from "react";
import { api, type Product } from "../../api";
import { useAction } from "../../lib/action";
import { csvText, download, parseCsv } from "../../lib/csv";
import { useDraft } from "../../lib/drafts";
import { moneyInput, parseMoney } from "../../lib/format";
import { shopCurrency, shopDay } from "../../lib/shop";
import { t, type TextKey } from "../../text";
import { ErrorNotice, sentenceOf } from "../../ui/basics";
import { Modal } from "../../ui/modal";

const rowsMax = 500;
const exportedMax = 10_000;
const columns = ["sku", "name", "description", "price", "currency", "stock", "active", "digital", "metadata"] as const;
type Fields = Partial<
  Pick<Product, "sku" | "name" | "description" | "priceCents" | "currency" | "stockQuantity" | "isActive" | "isDigital">
> & { metadata?: Record<string, string | null> };

interface Line {
  number: number;
  sku: string;
  kind: "new" | "change" | "same" | "wrong";
  text: string;
  fields: Fields;
  present: { id: string; etag: string } | null;
}

export async function downloadProducts(query: Record<string, QueryValue>): Promise<void> {
  const rows = [];
  for await (const product of api.each<Product>("/api/data/product", query)) {
    rows.push([
      product.sku,
      product.name,
      product.description,
      moneyInput(product.priceCents, product.currency),
      product.currency,
      product.inventoryTracked ? product.stockQuantity : null,
      product.isActive,
      product.isDigital,
      metadataText(product.metadata),
    ]);
    if (rows.length === exportedMax) break;
  }
  download(`products-${shopDay()}.csv`, csvText([[...columns], ...rows]));
}

function truth(text: string): boolean | null {
  if (/^(true|yes|1|ja)$/i.test(text)) return true;
  return /^(false|no|0|nein)$/i.test(text) ? false : null;
}

const metadataText = (metadata: Record<string, unknown>) =>
  Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null;

/** The metadata of a cell: an object of texts, in which null removes a key. Null if it is anything else. */
function parseMetadata(text: string): Record<string, string | null> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.values(value).every((each) => each === null || typeof each === "string")
      ? (value as Record<string, string | null>)
      : null;
  } catch {
    return null;
  }
}

/** The fields of a line; an empty cell leaves the product's value as it is. Throws with every wrong cell. */
function fieldsOf(cells: Record<string, string>, currencyOfProduct: string | undefined): Fields {
  const wrong: string[] = [];
  const fields: Fields = {};
  if (cells["name"]) fields.name = cells["name"];
  if (cells["description"]) fields.description = cells["description"];
  const currency = (cells["currency"] || currencyOfProduct || shopCurrency()).toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency)) wrong.push(t("import.wrongCell", { column: "currency" }));
  else if (cells["currency"]) fields.currency = currency;
  if (cells["price"]) {
    const cents = wrong.length === 0 ? parseMoney(cells["price"], currency) : null;
    if (cents === null) wrong.push(t("import.wrongCell", { column: "price" }));
    else fields.priceCents = cents;
  }
  if (cells["stock"]) {
    if (/^\d{1,9}$/.test(cells["stock"])) fields.stockQuantity = Number(cells["stock"]);
    else wrong.push(t("import.wrongCell", { column: "stock" }));
  }
  for (const [column, field] of [
    ["active", "isActive"],
    ["digital", "isDigital"],
  ] as const) {
    if (!cells[column]) continue;
    const value = truth(cells[column]);
    if (value === null) wrong.push(t("import.wrongCell", { column }));
    else fields[field] = value;
  }
  if (cells["metadata"]) {
    const metadata = parseMetadata(cells["metadata"]);
    if (metadata === null) wrong.push(t("import.wrongCell", { column: "metadata" }));
    else fields.metadata = metadata;
  }
  if (wrong.length > 0) throw new Error(wrong.join(" "));
  return fields;
}

async function compare(number: number, cells: Record<string, string>, seen: Set<string>): Promise<Line> {
  const sku = cells["sku"] ?? "";
  const line = { number, sku, fields: {}, present: null };
  const wrong = (text: string): Line => ({ ...line, kind: "wrong", text });
  if (sku === "") return wrong(t("import.noSku"));
  if (seen.has(sku)) return wrong(t("import.twice"));
  seen.add(sku);
  const found = (await api.get<Page<Product>>("/api/data/product", { query: { sku, limit: 1 } })).items[0];
  try {
    const fields = fieldsOf(cells, found?.currency);
    if (!found) {
      if (!fields.name || fields.priceCents === undefined) return wrong(t("import.incomplete"));
      return {
        ...line,
        kind: "new",
        text: `${fields.name} · ${moneyInput(fields.priceCents, fields.currency ?? shopCurrency())} ${fields.currency ?? shopCurrency()}`,
        fields: { ...fields, sku },
      };
    }
    const { metadata = {}, ...plain } = fields;
    const changed = Object.fromEntries(
      Object.entries(plain).filter(([field, value]) => found[field as keyof Product] !== value),
    ) as Fields;
    const newMetadata = Object.entries(metadata).filter(([key, value]) => (found.metadata[key] ?? null) !== value);
    if (newMetadata.length > 0) changed.metadata = Object.fromEntries(newMetadata);
    if (Object.keys(changed).length === 0) return { ...line, kind: "same", text: found.name };
    const { record, etag } = await api.read<Product>(`/api/data/product/${encodeURIComponent(found.id)}`);
    const text = Object.entries(changed)
      .map(([field, value]) =>
        t("import.difference", {
          field: t(`field.${field}` as TextKey),
          before: shown(record, field, record[field as keyof Product]),
          after: shown({ ...record, ...changed }, field, value),
        }),
      )
      .join(" · ");
    return {
      ...line,
      kind: "change",
      text: `${found.name}: ${text}`,
      fields: changed,
      present: { id: found.id, etag },
    };
  } catch (thrown) {
    return wrong((thrown as Error).message);
  }
}

function shown(product: Pick<Product, "currency">, field: string, value: unknown): string {
  if (field === "metadata") return metadataText(value as Record<string, unknown>) ?? "–";
  return field === "priceCents" ? moneyInput(Number(value), product.currency) : String(value ?? "–");
}

const write = (line: Line) =>
  line.present
    ? api.patch(`/api/data/product/${encodeURIComponent(line.present.id)}`, line.fields, {
        ifMatch: line.present.etag,
        idempotencyKey: newIdempotencyKey(),
      })
    : api.post("/api/data/product", line.fields);

const tones: Record<Line["kind"], string> = { new: "green", change: "blue", same: "gray", wrong: "red" };

export function ImportDialog({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [lines, setLines] = useState<Line[] | null>(null);
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [failed, setFailed] = useState<Map<number, string> | null>(null);
  useDraft(lines !== null);
  const todo = lines?.filter((line) => line.kind === "new" || line.kind === "change") ?? [];

  const { run: read, error } = useAction(async (file: File | null) => {
    setLines(null);
    setFailed(null);
    if (!file) return;
    try {
      if (file.size > 2 * 1024 * 1024) throw new Error(t("import.tooLarge"));
      const [head, ...rows] = parseCsv(await file.text());
      const names = (head ?? []).map((name) => name.toLowerCase());
      if (!names.includes("sku")) throw new Error(t("import.noHead", { columns: columns.join(", ") }));
      if (rows.length > rowsMax) throw new Error(t("import.tooMany", { count: rowsMax }));
      const seen = new Set<string>();
      const compared: Line[] = [];
      for (const [index, row] of rows.entries()) {
        setProgress({ done: index, of: rows.length });
        compared.push(
          await compare(index + 2, Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])), seen),
        );
      }
      setLines(compared);
    } finally {
      setProgress(null);
    }
  });
  const run = async () => {
    const problems = new Map<number, string>();
    for (const [index, line] of todo.entries()) {
      setProgress({ done: index, of: todo.length });
      await write(line).catch((thrown: Error) => problems.set(line.number, sentenceOf(thrown)));
    }
    setProgress(null);
    setFailed(problems);
    await queries.invalidateQueries({ queryKey: ["/api/data/product"] });
  };
  const counted = (kind: Line["kind"]) => lines?.filter((line) => line.kind === kind).length ?? 0;
  return (
    <Modal onClose={close} title={t("import.title")} size="lg" closeOnClickOutside={lines === null}>
      <Stack>
        <Text>
          {t("import.text", { count: rowsMax })}{" "}
          <Anchor
            component="button"
            onClick={() =>
              download(
                "products.csv",
                csvText([
                  [...columns],
                  ["MUG-1", "Guild mug", "A stoneware mug.", "15.00", "USD", 40, true, false, '{"warehouse":"North"}'],
                ]),
              )
            }
          >
            {t("import.sample")}
          </Anchor>
        </Text>
        {failed === null && (
          <FileInput
            label={t("import.file")}
            placeholder={t("import.choose")}
            accept=".csv,text/csv"
            leftSection={<IconFileTypeCsv size={18} />}
            onChange={(file) => void read(file)}
            clearable
          />
        )}
        {error && <ErrorNotice error={error} />}
        {progress && (
          <Progress value={(progress.done / Math.max(progress.of, 1)) * 100} aria-label={t("bulk.progress")} />
        )}
        {lines && (
          <>
            <Text role="status">
              {failed
                ? t("import.done", { done: todo.length - failed.size, failed: failed.size })
                : t("import.summary", {
                    new: counted("new"),
                    change: counted("change"),
                    same: counted("same"),
                    wrong: counted("wrong"),
                  })}
            </Text>
            <List listStyleType="none" spacing="xs" mah="45vh" style={{ overflowY: "auto" }} tabIndex={0}>
              {lines.map((line) => {
                const problem = failed?.get(line.number);
                return (
                  <List.Item key={line.number}>
                    <Group gap="xs" wrap="nowrap" align="flex-start">
                      <Badge variant="light" color={problem ? "red" : tones[line.kind]} tt="none" flex="none">
                        {t(problem ? "bulkResult.FAILED" : (`import.${line.kind}` as TextKey))}
                      </Badge>
                      <Text size="sm" className="break-anywhere">
                        <b>{line.sku || t("import.line", { number: line.number })}</b> {problem ?? line.text}
                      </Text>
                    </Group>
                  </List.Item>
                );
              })}
            </List>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t(failed ? "action.close" : "action.cancel")}
          </Button>
          {lines && !failed && (
            <Button disabled={todo.length === 0} loading={progress !== null} onClick={() => void run()}>
              {t("import.button", { count: todo.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
