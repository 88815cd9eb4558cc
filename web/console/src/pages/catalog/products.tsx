import { Button, Group, Image, Menu, Text } from "@mantine/core";
import { IconDots, IconDownload, IconPhoto, IconPlus, IconUpload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Product } from "../../api";
import { count, moneyInput, parseMoney } from "../../lib/format";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, Money, PageHead, Status } from "../../ui/basics";
import { FilterBar, queryOf, type Filter } from "../../ui/filters";
import { amountWrong, attempt, notifyUndo } from "../../ui/form";
import { InlineEdit } from "../../ui/inline-edit";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { downloadProducts, ImportDialog } from "./product-import";

const lowStock = 5;
const filters: Filter[] = [
  {
    key: "isActive",
    label: t("products.state"),
    kind: "choice",
    quick: true,
    data: [
      { value: "true", label: t("productState.ACTIVE") },
      { value: "false", label: t("productState.INACTIVE") },
    ],
  },
  {
    key: "stock",
    label: t("products.stock"),
    kind: "choice",
    quick: true,
    data: [
      { value: "low", label: t("products.stockLow") },
      { value: "out", label: t("products.stockOut") },
    ],
  },
  {
    key: "type",
    label: t("products.kind"),
    kind: "choice",
    data: [
      { value: "physical", label: t("products.physical") },
      { value: "digital", label: t("products.digitalShort") },
    ],
  },
  { key: "sku", label: t("products.sku"), kind: "text" },
  { key: "priceMin", label: t("products.priceMin"), kind: "money" },
  { key: "priceMax", label: t("products.priceMax"), kind: "money" },
];
const keys = ["search", "sort", ...filters.map((filter) => filter.key)];
const sorts = ["-createdAt", "createdAt", "sku", "-priceCents", "priceCents"].map((value) => ({
  value,
  label: t(`productSort.${value}` as "productSort.sku"),
}));

export function ProductPicture({ product, size }: { product: Pick<Product, "image">; size: number }) {
  if (product.image)
    return <Image src={product.image.thumbnailUrl} alt="" w={size} h={size} radius={6} fit="cover" flex="none" />;
  return (
    <Text
      span
      aria-hidden
      c="dimmed"
      bg="var(--mantine-color-default-hover)"
      w={size}
      h={size}
      style={{ borderRadius: 6, display: "grid", placeItems: "center", flex: "none" }}
    >
      <IconPhoto size={size / 2} stroke={1.5} />
    </Text>
  );
}

/** Writes one field of a product, unless somebody has changed it since it was shown. */
function useFieldChange() {
  const queries = useQueryClient();
  const write = async <K extends "priceCents" | "stockQuantity">(product: Product, field: K, value: Product[K]) => {
    const path = `/api/data/product/${encodeURIComponent(product.id)}`;
    const { record, etag } = await api.read<Product>(path);
    if (record[field] !== product[field]) throw new Error(t("inline.changed"));
    await api.patch(path, { [field]: value }, { ifMatch: etag });
    await queries.invalidateQueries({ queryKey: ["/api/data/product"] });
  };
  return async <K extends "priceCents" | "stockQuantity">(product: Product, field: K, value: Product[K]) => {
    await write(product, field, value);
    notifyUndo(t("products.changed", { name: product.name }), () =>
      write({ ...product, [field]: value }, field, product[field]),
    );
  };
}

export function ProductsPage() {
  const { may } = useSession();
  const { values, change, clear, filtered } = useUrlState(keys);
  const [importing, setImporting] = useState(false);
  const write = may("data.write");
  const setField = useFieldChange();
  const add = (
    <GuardedButton allowed={write} href="/products/new" leftSection={<IconPlus size={16} />}>
      {t("products.add")}
    </GuardedButton>
  );
  const query = queryOf(filters, values);
  return (
    <>
      <PageHead
        title={t("products.title")}
        actions={
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" leftSection={<IconDots size={16} />}>
                {t("menu.more")}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconUpload size={16} />} disabled={!write} onClick={() => setImporting(true)}>
                {t("import.title")}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconDownload size={16} />}
                onClick={() => attempt(() => downloadProducts(query))}
              >
                {t("orders.export")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        }
        primary={add}
      />
      <FilterBar filters={filters} values={values} change={change} search={t("products.search")} sort={sorts} />
      <PagedList<Product>
        label={t("products.title")}
        path="/api/data/product"
        query={query}
        columns={[
          {
            title: t("products.name"),
            cell: (product) => (
              <Group gap="sm" wrap="nowrap">
                <ProductPicture product={product} size={36} />
                <span className="clamp">{product.name}</span>
              </Group>
            ),
          },
          { title: t("products.sku"), cell: (product) => product.sku },
          {
            title: t("products.state"),
            cell: (product) => <Status value={product.isActive ? "ACTIVE" : "INACTIVE"} kind="productState" />,
            phone: true,
          },
          {
            title: t("products.stock"),
            cell: (product) => (
              <InlineEdit
                label={t("products.stockOf", { name: product.name })}
                text={String(product.stockQuantity ?? "")}
                inputMode="numeric"
                allowed={write && product.inventoryTracked && product.delivers !== "KEYS"}
                save={(text) => setField(product, "stockQuantity", stockFrom(text))}
              >
                <Stock product={product} />
              </InlineEdit>
            ),
            numeric: true,
            phone: true,
          },
          {
            title: t("products.price"),
            cell: (product) => (
              <InlineEdit
                label={t("products.priceOf", { name: product.name })}
                text={moneyInput(product.priceCents, product.currency)}
                inputMode="decimal"
                allowed={write}
                save={(text) => setField(product, "priceCents", priceFrom(text, product.currency))}
              >
                <Money cents={product.priceCents} currency={product.currency} />
              </InlineEdit>
            ),
            numeric: true,
            phone: true,
          },
        ]}
        keyOf={(product) => product.id}
        hrefOf={(product) => `/products/${product.id}`}
        versionOf={(product) => product.updatedAt}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty title={t("products.empty")} text={t("products.emptyText")} action={add} />
          )
        }
      />
      {importing && <ImportDialog close={() => setImporting(false)} />}
    </>
  );
}

function Stock({ product }: { product: Product }) {
  if (!product.inventoryTracked || typeof product.stockQuantity !== "number")
    return (
      <Text span c="dimmed">
        {t("products.notCounted")}
      </Text>
    );
  const low = product.stockQuantity <= lowStock;
  return (
    <Text span c={low ? "var(--mantine-color-error)" : undefined} fw={low ? 600 : 400}>
      {stockText(product.stockQuantity)}
    </Text>
  );
}

function stockText(quantity: number): string {
  if (quantity === 0) return t("products.stockOut");
  return quantity <= lowStock ? t("products.low", { count: count(quantity) }) : count(quantity);
}

function stockFrom(text: string): number | null {
  if (text === "") return null;
  if (!/^\d{1,9}$/.test(text)) throw new Error(t("products.stockWrong"));
  return Number(text);
}

function priceFrom(text: string, currency: string): number {
  const cents = parseMoney(text, currency);
  if (cents === null) throw new Error(amountWrong(currency));
  return cents;
}
