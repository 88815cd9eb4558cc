import { Grid, Group, Image, NumberInput, Paper, Stack, Switch, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useParams } from "wouter";
import type { Product } from "../../api";
import { money, moneyInput, parseMoney } from "../../lib/format";
import { currencies } from "../../lib/currencies";
import { useRecord } from "../../lib/record";
import { shopCurrency } from "../../lib/shop";
import { useSession } from "../../session";
import { t } from "../../text";
import { GuardedButton, PageHead, Status, Unavailable } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog } from "../../ui/dialogs";
import { amountWrong, FormPage } from "../../ui/form";
import { Metadata } from "../../ui/metadata";
import { RoleSelect, useRoleName } from "../../ui/role-select";
import { SearchSelect } from "../../ui/search-select";
import { membershipOf, MembershipTerms, reminderProblem, termValuesOf, type TermValues } from "./product-membership";
import { ProductDelivery } from "./product-delivery";
import { uploadPicture, useDataUrl, PictureField } from "./product-picture";
import { StockHistory } from "./product-stock";

const blank = (): Product => ({
  id: "new",
  tenantId: "",
  name: "",
  sku: "",
  priceCents: 0,
  currency: shopCurrency(),
  requiredRoleIds: [],
  grantedRoleIds: [],
  isDigital: false,
  isActive: true,
  inventoryTracked: true,
  delivers: "NOTHING",
  createdAt: "",
  updatedAt: "",
  description: null,
  stockQuantity: null,
  metadata: {},
});

export function ProductPage() {
  const id = useParams<{ id: string }>().id;
  const record = useRecord<Product>("/api/data/product", id, "/products");
  if (record.isNew) return <ProductForm key="new" product={blank()} record={record} />;
  if (!record.current.data)
    return <Unavailable query={record.current} back={{ href: "/products", label: t("products.title") }} />;
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
  const stockIsKeys = product.delivers === "KEYS";
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
        actions={
          !record.isNew && (
            <GuardedButton allowed={!readOnly} variant="default" onClick={() => setDeleting(true)}>
              {t("products.delete")}
            </GuardedButton>
          )
        }
      />
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <FormPage
            form={form}
            isNew={record.isNew}
            disabled={readOnly}
            save={(values) =>
              record.isNew
                ? record.create(bodyOf(values), (made) => (file ? uploadPicture(made.id, file) : undefined))
                : record.change(bodyOf(values), bodyOf(valuesOf(product)))
            }
          >
            <Paper component="fieldset" disabled={readOnly}>
              <Stack>
                <TextInput label={t("products.name")} required {...form.getInputProps("name")} />
                <Textarea
                  label={t("products.description")}
                  autosize
                  minRows={3}
                  {...form.getInputProps("description")}
                />
                <TextInput
                  label={t("products.sku")}
                  description={t("products.skuText")}
                  required
                  {...form.getInputProps("sku")}
                />
                <Group grow align="flex-start">
                  <TextInput
                    label={t("products.price")}
                    required
                    inputMode="decimal"
                    {...form.getInputProps("priceCents")}
                  />
                  <SearchSelect label={t("products.currency")} data={currencies} {...form.getInputProps("currency")} />
                </Group>
                <Switch label={t("products.active")} {...form.getInputProps("isActive", { type: "checkbox" })} />
              </Stack>
            </Paper>
            <PictureField
              product={product}
              isNew={record.isNew}
              readOnly={readOnly}
              chosen={file}
              choose={setFile}
              preview={preview}
            />
            <Paper component="fieldset" disabled={readOnly}>
              <Title order={2} fz={16} mb="sm">
                {t("products.stock")}
              </Title>
              <Stack>
                <Switch label={t("products.digital")} {...form.getInputProps("isDigital", { type: "checkbox" })} />
                <Switch
                  label={t("products.tracked")}
                  disabled={stockIsKeys}
                  {...form.getInputProps("inventoryTracked", { type: "checkbox" })}
                />
                <NumberInput
                  label={t("products.quantity")}
                  description={t(stockIsKeys ? "products.stockIsKeys" : "products.quantityText")}
                  min={0}
                  allowDecimal={false}
                  readOnly={stockIsKeys}
                  variant={stockIsKeys ? "filled" : "default"}
                  disabled={!form.values.inventoryTracked}
                  {...form.getInputProps("stockQuantity")}
                />
              </Stack>
            </Paper>
            <Paper component="fieldset" disabled={readOnly}>
              <Title order={2} fz={16} mb="sm">
                {t("products.roles")}
              </Title>
              <Stack>
                <RoleSelect
                  assignable
                  label={t("products.granted")}
                  {...form.getInputProps("grantedRoleIds")}
                  value={form.values.grantedRoleIds}
                />
                <RoleSelect
                  label={t("products.required")}
                  description={t("products.requiredText")}
                  {...form.getInputProps("requiredRoleIds")}
                  value={form.values.requiredRoleIds}
                />
              </Stack>
            </Paper>
            <MembershipTerms form={form} readOnly={readOnly} />
          </FormPage>
          {!record.isNew && <ProductDelivery product={product} dirty={form.isDirty()} />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <BotCard values={form.values} picture={preview ?? product.image?.url ?? null} />
            {!record.isNew && <StockHistory product={product} />}
            {!record.isNew && (
              <Metadata path={record.path} metadata={product.metadata} allowed={!readOnly} dirty={form.isDirty()} />
            )}
          </Stack>
        </Grid.Col>
      </Grid>
      {deleting && (
        <ConfirmDialog
          danger
          typed={product.sku}
          title={t("products.delete")}
          text={t("products.deleteText", { name: product.name })}
          button={t("products.delete")}
          run={record.remove}
          close={() => setDeleting(false)}
        />
      )}
      {record.conflict && (
        <ConflictDialog
          conflict={record.conflict}
          labels={{
            name: t("products.name"),
            description: t("products.description"),
            sku: t("products.sku"),
            priceCents: t("products.price"),
            stockQuantity: t("products.quantity"),
            isActive: t("products.active"),
          }}
        />
      )}
    </>
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
      <Title order={2} fz={16} mb="sm">
        {t("products.preview")}
      </Title>
      <Stack gap="xs" p="sm" className="bot-card">
        <Text fw={600} className="break-anywhere">
          {values.name || t("products.name")}
        </Text>
        {values.description && (
          <Text size="sm" lineClamp={6} className="break-anywhere">
            {values.description}
          </Text>
        )}
        <Group gap="xl">
          <div>
            <Text size="xs" fw={600}>
              {t("products.price")}
            </Text>
            <Text size="sm">{cents === null ? "–" : money(cents, values.currency)}</Text>
          </div>
          <div>
            <Text size="xs" fw={600}>
              {t("products.stock")}
            </Text>
            <Text size="sm">
              {sold
                ? t("products.stockOut")
                : counted
                  ? t("products.left", { count: values.stockQuantity })
                  : t("products.available")}
            </Text>
          </div>
        </Group>
        {picture && <Image src={picture} alt="" radius={6} />}
        <Text size="xs" c="dimmed">
          SKU {values.sku || "–"}
        </Text>
      </Stack>
      <Group gap="xs" mt="xs" aria-hidden>
        {!sold && <span className="bot-button bot-button-buy">{t("products.buy")}</span>}
        <span className="bot-button">{t("products.backToShop")}</span>
      </Group>
      {!values.isActive && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("products.hidden")}
        </Text>
      )}
      {values.grantedRoleIds.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs" className="break-anywhere">
          {t("products.givesRoles", { names: values.grantedRoleIds.map(roleName).join(", ") })}
        </Text>
      )}
    </Paper>
  );
}
