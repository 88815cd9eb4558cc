import { Grid, Group, NumberInput, Paper, Select, Skeleton, Stack, Switch, TagsInput, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useParams } from "wouter";
import type { Product } from "../api";
import { money, moneyInput, parseMoney } from "../lib/format";
import { currencies } from "../lib/currencies";
import { useRecord } from "../lib/record";
import { useSession } from "../session";
import { t } from "../text";
import { ErrorNotice, GuardedButton, PageHead, Status } from "../ui/basics";
import { ConfirmDialog, ConflictDialog } from "../ui/dialogs";
import { FormPage } from "../ui/form";

const blank: Product = {
  id: "new", tenantId: "", name: "", sku: "", priceCents: 0, currency: "USD", requiredRoleIds: [], grantedRoleIds: [], isDigital: false,
  isActive: true, inventoryTracked: true, createdAt: "", updatedAt: "", description: null, stockQuantity: null,
};

export function ProductPage() {
  const id = useParams<{ id: string }>().id;
  const record = useRecord<Product>("/api/data/product", id, "/products");
  if (record.isNew) return <ProductForm key="new" product={blank} record={record} />;
  if (record.current.error) return <ErrorNotice error={record.current.error} retry={() => void record.current.refetch()} />;
  if (!record.current.data) return <Skeleton height={400} />;
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
  };
}

function bodyOf(values: Values): Partial<Product> {
  return {
    ...values,
    description: values.description || null,
    priceCents: parseMoney(values.priceCents, values.currency) ?? -1,
    stockQuantity: values.stockQuantity === "" ? null : Number(values.stockQuantity),
  };
}

function ProductForm({ product, record }: { product: Product; record: ReturnType<typeof useRecord<Product>> }) {
  const { may } = useSession();
  const [deleting, setDeleting] = useState(false);
  const readOnly = !may("data.write");
  const form = useForm<Values>({
    initialValues: valuesOf(product),
    validate: { priceCents: (text, values) => (parseMoney(text, values.currency) === null ? t("form.amountWrong") : null) },
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
          <FormPage form={form} isNew={record.isNew} disabled={readOnly} save={(values) => (record.isNew ? record.create(bodyOf(values)) : record.change(bodyOf(values)))}>
            <Paper component="fieldset" disabled={readOnly}>
              <Stack>
                <TextInput label={t("products.name")} required {...form.getInputProps("name")} />
                <Textarea label={t("products.description")} autosize minRows={3} {...form.getInputProps("description")} />
                <TextInput label={t("products.sku")} description={t("products.skuText")} required {...form.getInputProps("sku")} />
                <Group grow align="flex-start">
                  <TextInput label={t("products.price")} required inputMode="decimal" {...form.getInputProps("priceCents")} />
                  <Select label={t("products.currency")} searchable allowDeselect={false} data={currencies} {...form.getInputProps("currency")} />
                </Group>
                <Switch label={t("products.active")} {...form.getInputProps("isActive", { type: "checkbox" })} />
              </Stack>
            </Paper>
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
                <TagsInput label={t("products.granted")} description={t("products.grantedText")} {...form.getInputProps("grantedRoleIds")} />
                <TagsInput label={t("products.required")} description={t("products.requiredText")} {...form.getInputProps("requiredRoleIds")} />
              </Stack>
            </Paper>
          </FormPage>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <BotCard values={form.values} />
        </Grid.Col>
      </Grid>
      {deleting && (
        <ConfirmDialog danger typed={product.sku} title={t("products.delete")} text={t("products.deleteText", { name: product.name })} button={t("products.delete")} run={record.remove} close={() => setDeleting(false)} />
      )}
      {record.conflict && (
        <ConflictDialog conflict={record.conflict} labels={{ name: t("products.name"), description: t("products.description"), sku: t("products.sku"), priceCents: t("products.price"), stockQuantity: t("products.quantity"), isActive: t("products.active") }} show={(value) => (Array.isArray(value) ? value.join(", ") : String(value ?? "–"))} solve={(chosen, etag) => void record.change(chosen, etag)} close={record.closeConflict} />
      )}
    </>
  );
}

/** The product as the chat bot shows it to a member. */
function BotCard({ values }: { values: Values }) {
  const cents = parseMoney(values.priceCents, values.currency);
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("products.preview")}</Title>
      <Stack gap={4} pl="sm" style={{ borderLeft: "4px solid var(--mantine-color-indigo-6)" }}>
        <Text fw={600} className="break-anywhere">{values.name || t("products.name")}</Text>
        {values.description && <Text size="sm" lineClamp={4}>{values.description}</Text>}
        <Text size="sm" fw={600}>{cents === null ? "–" : money(cents, values.currency)}</Text>
        {values.inventoryTracked && values.stockQuantity !== "" && <Text size="sm" c="dimmed">{t("products.left", { count: values.stockQuantity })}</Text>}
        {values.grantedRoleIds.length > 0 && <Text size="sm" c="dimmed">{t("products.gives", { count: values.grantedRoleIds.length })}</Text>}
      </Stack>
    </Paper>
  );
}
