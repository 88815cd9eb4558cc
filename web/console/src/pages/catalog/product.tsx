import { Button, FileButton, Grid, Group, Image, NumberInput, Paper, Stack, Switch, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconUpload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useEffect, useState, type ReactNode } from "react";
import { Link, useParams } from "wouter";
import { api, type AuditRecord, type Order, type Product } from "../../api";
import { useAction } from "../../lib/action";
import { count, money, moneyInput, parseMoney } from "../../lib/format";
import { currencies } from "../../lib/currencies";
import { useRecord } from "../../lib/record";
import { shopCurrency } from "../../lib/shop";
import { useSession } from "../../session";
import { t } from "../../text";
import { ErrorNotice, GuardedButton, PageHead, Status, Unavailable, When } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog } from "../../ui/dialogs";
import { amountWrong, FormPage, notifySaved } from "../../ui/form";
import { Metadata } from "../../ui/metadata";
import { ActorName } from "../../ui/record-name";
import { RoleSelect, useRoleName } from "../../ui/role-select";
import { SearchSelect } from "../../ui/search-select";
import { membershipOf, MembershipTerms, reminderProblem, termValuesOf, type TermValues } from "./product-membership";

const blank = (): Product => ({
  id: "new", tenantId: "", name: "", sku: "", priceCents: 0, currency: shopCurrency(), requiredRoleIds: [], grantedRoleIds: [], isDigital: false,
  isActive: true, inventoryTracked: true, createdAt: "", updatedAt: "", description: null, stockQuantity: null, metadata: {},
});

export function ProductPage() {
  const id = useParams<{ id: string }>().id;
  const record = useRecord<Product>("/api/data/product", id, "/products");
  if (record.isNew) return <ProductForm key="new" product={blank()} record={record} />;
  if (!record.current.data) return <Unavailable query={record.current} back={{ href: "/products", label: t("products.title") }} />;
  const product = record.current.data.record;
  return <ProductForm key={product.updatedAt} product={product} record={record} />;
}

interface Values {
  name: string;
  description: string;
  sku: string;
  priceCents: string;
  currency: string;
  stockQuantity: number | string;
  inventoryTracked: boolean;
  isDigital: boolean;
  isActive: boolean;
  requiredRoleIds: string[];
  grantedRoleIds: string[];
  terms: TermValues;
}

function valuesOf(product: Product): Values {
  return {
    name: product.name,
    description: product.description ?? "",
    sku: product.sku,
    priceCents: product.id === "new" ? "" : moneyInput(product.priceCents, product.currency),
    currency: product.currency,
    stockQuantity: product.stockQuantity ?? "",
    inventoryTracked: product.inventoryTracked,
    isDigital: product.isDigital,
    isActive: product.isActive,
    requiredRoleIds: product.requiredRoleIds,
    grantedRoleIds: product.grantedRoleIds,
    terms: termValuesOf(product),
  };
}

function bodyOf({ terms, ...values }: Values): Partial<Product> {
  return {
    ...values,
    membership: membershipOf(terms),
    description: values.description || null,
    priceCents: parseMoney(values.priceCents, values.currency) ?? -1,
    stockQuantity: values.stockQuantity === "" ? null : Number(values.stockQuantity),
  };
}

function ProductForm({ product, record }: { product: Product; record: ReturnType<typeof useRecord<Product>> }) {
  const { may } = useSession();
  const [deleting, setDeleting] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const readOnly = !may("data.write");
  const preview = useDataUrl(file);
  const form = useForm<Values>({
    initialValues: valuesOf(product),
    validate: {
      priceCents: (text, values) => (parseMoney(text, values.currency) === null ? amountWrong(values.currency) : null),
      terms: { reminderDays: (text, { terms }) => reminderProblem(text, terms) },
    },
  });
  return (
    <>
      <PageHead
        back={{ href: "/products", label: t("products.title") }}
        title={record.isNew ? t("products.add") : product.name}
        status={!record.isNew && <Status value={product.isActive ? "ACTIVE" : "INACTIVE"} kind="productState" />}
        actions={!record.isNew && <GuardedButton allowed={!readOnly} variant="default" onClick={() => setDeleting(true)}>{t("products.delete")}</GuardedButton>}
      />
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <FormPage form={form} isNew={record.isNew} disabled={readOnly} save={(values) => (record.isNew ? record.create(bodyOf(values), (made) => (file ? uploadPicture(made.id, file) : undefined)) : record.change(bodyOf(values), bodyOf(valuesOf(product))))}>
            <Paper component="fieldset" disabled={readOnly}>
              <Stack>
                <TextInput label={t("products.name")} required {...form.getInputProps("name")} />
                <Textarea label={t("products.description")} autosize minRows={3} {...form.getInputProps("description")} />
                <TextInput label={t("products.sku")} description={t("products.skuText")} required {...form.getInputProps("sku")} />
                <Group grow align="flex-start">
                  <TextInput label={t("products.price")} required inputMode="decimal" {...form.getInputProps("priceCents")} />
                  <SearchSelect label={t("products.currency")} data={currencies} {...form.getInputProps("currency")} />
                </Group>
                <Switch label={t("products.active")} {...form.getInputProps("isActive", { type: "checkbox" })} />
              </Stack>
            </Paper>
            <PictureField product={product} isNew={record.isNew} readOnly={readOnly} chosen={file} choose={setFile} preview={preview} />
            <Paper component="fieldset" disabled={readOnly}>
              <Title order={2} fz={16} mb="sm">{t("products.stock")}</Title>
              <Stack>
                <Switch label={t("products.digital")} {...form.getInputProps("isDigital", { type: "checkbox" })} />
                <Switch label={t("products.tracked")} {...form.getInputProps("inventoryTracked", { type: "checkbox" })} />
                <NumberInput label={t("products.quantity")} description={t("products.quantityText")} min={0} allowDecimal={false} disabled={!form.values.inventoryTracked} {...form.getInputProps("stockQuantity")} />
              </Stack>
            </Paper>
            <Paper component="fieldset" disabled={readOnly}>
              <Title order={2} fz={16} mb="sm">{t("products.roles")}</Title>
              <Stack>
                <RoleSelect assignable label={t("products.granted")} {...form.getInputProps("grantedRoleIds")} value={form.values.grantedRoleIds} />
                <RoleSelect label={t("products.required")} description={t("products.requiredText")} {...form.getInputProps("requiredRoleIds")} value={form.values.requiredRoleIds} />
              </Stack>
            </Paper>
            <MembershipTerms form={form} readOnly={readOnly} />
          </FormPage>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <BotCard values={form.values} picture={preview ?? product.image?.url ?? null} />
            {!record.isNew && <StockHistory product={product} />}
            {!record.isNew && <Metadata path={record.path} metadata={product.metadata} allowed={!readOnly} dirty={form.isDirty()} />}
          </Stack>
        </Grid.Col>
      </Grid>
      {deleting && (
        <ConfirmDialog danger typed={product.sku} title={t("products.delete")} text={t("products.deleteText", { name: product.name })} button={t("products.delete")} run={record.remove} close={() => setDeleting(false)} />
      )}
      {record.conflict && (
        <ConflictDialog conflict={record.conflict} labels={{ name: t("products.name"), description: t("products.description"), sku: t("products.sku"), priceCents: t("products.price"), stockQuantity: t("products.quantity"), isActive: t("products.active") }} />
      )}
    </>
  );
}

const uploadPicture = (id: string, file: File) => api.put<Product>(`/api/data/product/${encodeURIComponent(id)}/image`, file);

/** A file that has not been uploaded yet, as an address that the page can show. The page's policy allows `data:` for pictures. */
function useDataUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    setUrl(null);
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => setUrl(reader.result as string);
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  return url;
}

interface PictureFieldProps {
  product: Product;
  isNew: boolean;
  readOnly: boolean;
  chosen: File | null;
  choose: (file: File | null) => void;
  preview: string | null;
}

/** The picture of a product is stored at once; that of a new product together with it. */
function PictureField({ product, isNew, readOnly, chosen, choose, preview }: PictureFieldProps) {
  const queries = useQueryClient();
  const { run, busy, error } = useAction(async (work: () => Promise<unknown>) => {
    try {
      await work();
      await queries.invalidateQueries({ queryKey: ["/api/data/product"] });
      await queries.invalidateQueries({ queryKey: [`/api/data/product/${encodeURIComponent(product.id)}`] });
      notifySaved();
    } finally {
      choose(null);
    }
  });
  const pick = (file: File | null) => {
    choose(file);
    if (file && !isNew) void run(() => uploadPicture(product.id, file));
  };
  const shown = preview ?? product.image?.thumbnailUrl ?? null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("picture.title")}</Title>
      <Group align="center">
        {shown && <Image src={shown} alt={t("picture.alt", { name: product.name })} w={96} h={96} radius={8} fit="cover" />}
        <Stack gap="xs" flex={1} miw={200}>
          <Text size="sm" c="dimmed">{t("picture.text")}</Text>
          <Group gap="xs">
            <FileButton accept="image/png,image/jpeg,image/webp" onChange={pick} disabled={readOnly} inputProps={{ "aria-label": t("picture.choose") }}>
              {(button) => <Button {...button} variant="default" size="xs" loading={busy} disabled={readOnly} leftSection={<IconUpload size={14} />}>{t(shown ? "picture.replace" : "picture.choose")}</Button>}
            </FileButton>
            {product.image && !chosen && <Button size="xs" variant="subtle" color="red" disabled={readOnly || busy} onClick={() => void run(() => api.delete(`/api/data/product/${encodeURIComponent(product.id)}/image`))}>{t("picture.remove")}</Button>}
            {isNew && chosen && <Button size="xs" variant="subtle" onClick={() => choose(null)}>{t("picture.remove")}</Button>}
          </Group>
          {error && <ErrorNotice error={error} />}
        </Stack>
      </Group>
    </Paper>
  );
}

/** The product as the chat bot shows it to a member: the card of `/shop`. */
function BotCard({ values, picture }: { values: Values; picture: string | null }) {
  const roleName = useRoleName();
  const cents = parseMoney(values.priceCents, values.currency);
  const counted = values.inventoryTracked && values.stockQuantity !== "";
  const sold = counted && Number(values.stockQuantity) === 0;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("products.preview")}</Title>
      <Stack gap="xs" p="sm" className="bot-card">
        <Text fw={600} className="break-anywhere">{values.name || t("products.name")}</Text>
        {values.description && <Text size="sm" lineClamp={6} className="break-anywhere">{values.description}</Text>}
        <Group gap="xl">
          <div><Text size="xs" fw={600}>{t("products.price")}</Text><Text size="sm">{cents === null ? "–" : money(cents, values.currency)}</Text></div>
          <div><Text size="xs" fw={600}>{t("products.stock")}</Text><Text size="sm">{sold ? t("products.stockOut") : counted ? t("products.left", { count: values.stockQuantity }) : t("products.available")}</Text></div>
        </Group>
        {picture && <Image src={picture} alt="" radius={6} />}
        <Text size="xs" c="dimmed">SKU {values.sku || "–"}</Text>
      </Stack>
      <Group gap="xs" mt="xs" aria-hidden>
        {!sold && <span className="bot-button bot-button-buy">{t("products.buy")}</span>}
        <span className="bot-button">{t("products.backToShop")}</span>
      </Group>
      {!values.isActive && <Text size="sm" c="dimmed" mt="xs">{t("products.hidden")}</Text>}
      {values.grantedRoleIds.length > 0 && <Text size="sm" c="dimmed" mt="xs" className="break-anywhere">{t("products.givesRoles", { names: values.grantedRoleIds.map(roleName).join(", ") })}</Text>}
    </Paper>
  );
}

interface StockMove {
  at: string;
  key: string;
  content: ReactNode;
}

/** Who set the stock, from the audit trail, and the newest orders that took from it. */
function StockHistory({ product }: { product: Product }) {
  const { may } = useSession();
  const changes = useQuery({
    queryKey: ["/api/admin/audit", "stock", product.id],
    queryFn: () => api.get<Page<AuditRecord>>("/api/admin/audit", { query: { subject: "product", subjectId: product.id, limit: 100 } }).then((page) => page.items),
    enabled: may("admin.access"),
  });
  const orders = useQuery({
    queryKey: ["/api/data/order", "stock", product.id],
    queryFn: () => api.get<Page<Order>>("/api/data/order", { query: { productId: product.id, limit: 20 } }).then((page) => page.items),
  });
  const moves: StockMove[] = [
    ...(changes.data ?? []).flatMap((record) => {
      const change = (record.changes as Record<string, { before?: unknown; after?: unknown }> | null)?.["stockQuantity"];
      if (!change) return [];
      const text = t("stock.set", { before: String(change.before ?? "–"), after: String(change.after ?? "–") });
      return [{ at: record.at, key: record.id, content: <Text size="sm">{text} <Text span c="dimmed">· <ActorName kind={record.actorKind} id={record.actorId} /></Text></Text> }];
    }),
    ...(orders.data ?? []).map((order) => ({
      at: order.createdAt,
      key: order.id,
      content: (
        <Group gap="xs">
          <Text size="sm">{"\u2212"}{count(order.items.filter((item) => item.productId === product.id).reduce((sum, item) => sum + item.quantity, 0))} <Link href={`/orders/${order.id}`}>{order.orderNumber}</Link></Text>
          {["CANCELLED", "REFUNDED"].includes(order.status) && <Status value={order.status} kind="orderStatus" />}
        </Group>
      ),
    })),
  ].sort((one, other) => other.at.localeCompare(one.at)).slice(0, 30);
  if (moves.length === 0) return null;
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("stock.title")}</Title>
      <Stack gap="xs">
        {moves.map((move) => (
          <Group key={move.key} justify="space-between" wrap="nowrap" align="flex-start">
            {move.content}
            <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}><When at={move.at} /></Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
