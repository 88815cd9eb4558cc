import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { Product } from "../api";
import { count } from "../lib/format";
import { useSession } from "../session";
import { t } from "../text";
import { Empty, GuardedButton, Money, PageHead, Status } from "../ui/basics";
import { CursorList } from "../ui/list";

const lowStock = 5;

function Stock({ product }: { product: Product }) {
  if (!product.inventoryTracked || typeof product.stockQuantity !== "number") return <Text c="dimmed">{t("products.notCounted")}</Text>;
  const low = product.stockQuantity <= lowStock;
  return <Text c={low ? "var(--mantine-color-error)" : undefined} fw={low ? 600 : 400}>{low ? t("products.low", { count: count(product.stockQuantity) }) : count(product.stockQuantity)}</Text>;
}

export function ProductsPage() {
  const { may } = useSession();
  const add = (
    <GuardedButton allowed={may("data.write")} href="/products/new" leftSection={<IconPlus size={16} />}>{t("products.add")}</GuardedButton>
  );
  return (
    <>
      <PageHead title={t("products.title")} actions={add} />
      <CursorList<Product>
        label={t("products.title")}
        path="/api/data/product"
        columns={[
          { title: t("products.name"), cell: (product) => product.name },
          { title: t("products.sku"), cell: (product) => product.sku },
          { title: t("products.state"), cell: (product) => <Status value={product.isActive ? "ACTIVE" : "INACTIVE"} kind="productState" />, phone: true },
          { title: t("products.stock"), cell: (product) => <Stock product={product} />, numeric: true, phone: true },
          { title: t("products.price"), cell: (product) => <Money cents={product.priceCents} currency={product.currency} />, numeric: true, phone: true },
        ]}
        keyOf={(product) => product.id}
        hrefOf={(product) => `/products/${product.id}`}
        empty={<Empty title={t("products.empty")} text={t("products.emptyText")} action={add} />}
      />
    </>
  );
}
