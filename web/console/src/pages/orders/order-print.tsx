// Packing slips and the pick list of some orders, to be printed on A4 or Letter.
import { Paper, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { Fragment, type ReactNode } from "react";
import { api, type Branding, type Order, type OrderItem, type Product } from "../../api";
import { addressLines } from "../../lib/address";
import { useBranding } from "../../lib/branding";
import { count, dateOf } from "../../lib/format";
import { shippable } from "../../lib/order-status";
import { useUrlState } from "../../lib/url-state";
import { t } from "../../text";
import { Empty, ErrorNotice, PageHead } from "../../ui/basics";
import { PrintButton } from "../../ui/report-period";

const ordersMax = 50;
const productsMax = 200;
const path = "/api/data/order";

interface Printed {
  order: Order;
  /** Those that can be packed. */
  items: OrderItem[];
}

/** Without ids: the orders that wait to be shipped, the oldest first. */
async function ordersOf(ids: string[], signal: AbortSignal): Promise<Order[]> {
  if (ids.length > 0)
    return Promise.all(
      ids.slice(0, ordersMax).map((id) => api.get<Order>(`${path}/${encodeURIComponent(id)}`, { signal })),
    );
  const page = await api.get<Page<Order>>(path, {
    query: { status: shippable.join(), sort: "createdAt", limit: ordersMax },
    signal,
  });
  return page.items;
}

/** Leaves out digital products and contributions, and orders that have nothing else. */
async function printed(ids: string[], signal: AbortSignal): Promise<Printed[]> {
  const orders = await ordersOf(ids, signal);
  const products = [...new Set(orders.flatMap((order) => order.items.map((item) => item.productId)))].slice(
    0,
    productsMax,
  );
  // A product that is deleted or unknown may still lie on the shelf.
  const read = await Promise.all(
    products.map((id) => api.get<Product>(`/api/data/product/${encodeURIComponent(id)}`, { signal }).catch(() => null)),
  );
  const digital = new Set(["community-fund", ...read.flatMap((product) => (product?.isDigital ? [product.id] : []))]);
  return orders
    .map((order) => ({ order, items: order.items.filter((item) => !digital.has(item.productId)) }))
    .filter(({ items }) => items.length > 0);
}

export function OrderPrintPage() {
  const { values, change } = useUrlState(["ids", "kind"] as const);
  const pick = values.kind === "pick";
  const ids = values.ids.split(",").filter(Boolean);
  const orders = useQuery({
    queryKey: [path, "print", values.ids],
    queryFn: ({ signal }) => printed(ids, signal),
    refetchOnWindowFocus: false,
  });
  const branding = useBranding().data?.record;
  return (
    <>
      <div className="no-print">
        <PageHead
          back={
            ids.length === 1
              ? { href: `/orders/${ids[0]}`, label: t("order.facts") }
              : { href: "/orders", label: t("orders.title") }
          }
          title={t(pick ? "print.pick" : "print.slips")}
          primary={<PrintButton variant="filled" />}
        />
        <SegmentedControl
          mb="md"
          aria-label={t("print.kind")}
          value={pick ? "pick" : "slips"}
          data={[
            { value: "slips", label: t("print.slips") },
            { value: "pick", label: t("print.pick") },
          ]}
          onChange={(kind) => change({ kind: kind === "pick" ? "pick" : "" })}
        />
        {ids.length > ordersMax && (
          <Text size="sm" c="dimmed" mb="md">
            {t("print.max", { count: ordersMax })}
          </Text>
        )}
      </div>
      {orders.error && <ErrorNotice error={orders.error} retry={() => void orders.refetch()} />}
      {orders.isPending && <Skeleton height={400} maw={794} />}
      {orders.data?.length === 0 && (
        <Paper>
          <Empty title={t("print.empty")} text={t("print.emptyText")} />
        </Paper>
      )}
      {orders.data && orders.data.length > 0 && (
        <Stack gap="lg" className="sheets">
          {pick ? (
            <PickList orders={orders.data} branding={branding} />
          ) : (
            orders.data.map((each) => <Slip key={each.order.id} {...each} branding={branding} />)
          )}
        </Stack>
      )}
    </>
  );
}

function Sheet({
  label,
  title,
  branding,
  facts,
  children,
}: {
  label: string;
  title: string;
  branding: Branding | undefined;
  facts: [string, string][];
  children: ReactNode;
}) {
  return (
    <section className="sheet" aria-label={label}>
      <header>
        <div className="sheet-shop">
          {branding?.logo && <img src={branding.logo.thumbnailUrl} alt="" width={48} height={48} />}
          <span>{branding?.shopName}</span>
        </div>
        <div className="sheet-title">
          <h2>{title}</h2>
          <dl>
            {facts.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </div>
      </header>
      {children}
    </section>
  );
}

function Slip({ order, items, branding }: Printed & { branding: Branding | undefined }) {
  return (
    <Sheet
      label={t("print.slipOf", { number: order.orderNumber })}
      title={t("print.slip")}
      branding={branding}
      facts={[
        [t("payments.order"), order.orderNumber],
        [t("print.date"), dateOf(order.createdAt)],
      ]}
    >
      <h3>{t("print.shipTo")}</h3>
      <address>
        {addressLines(order.shippingAddress, order.customer.name).map((line, index) => (
          <div key={index}>{line}</div>
        ))}
      </address>
      <table>
        <thead>
          <tr>
            <th scope="col" className="tick-box">
              {t("print.packed")}
            </th>
            <th scope="col" className="numeric">
              {t("order.quantity")}
            </th>
            <th scope="col">{t("order.item")}</th>
            <th scope="col">{t("products.sku")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              <td className="tick-box">
                <span />
              </td>
              <td className="numeric">{count(item.quantity)}</td>
              <td>{item.name}</td>
              <td>{item.sku}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <td className="numeric">{count(items.reduce((sum, item) => sum + item.quantity, 0))}</td>
            <td colSpan={2}>{t("print.pieces")}</td>
          </tr>
        </tfoot>
      </table>
      <p className="sheet-thanks">{t("print.thanks", { shop: branding?.shopName ?? "" })}</p>
    </Sheet>
  );
}

/** What to take from the shelf for all orders together, and for which of them. */
function PickList({ orders, branding }: { orders: Printed[]; branding: Branding | undefined }) {
  const picks = new Map<string, { item: OrderItem; quantity: number; parts: string[] }>();
  for (const { order, items } of orders) {
    for (const item of items) {
      const key = `${item.productId} ${item.sku}`;
      const { quantity, parts } = picks.get(key) ?? { quantity: 0, parts: [] };
      picks.set(key, {
        item,
        quantity: quantity + item.quantity,
        parts: [...parts, t("print.part", { number: order.orderNumber, count: count(item.quantity) })],
      });
    }
  }
  const sorted = [...picks.values()].sort((one, other) => one.item.sku.localeCompare(other.item.sku));
  return (
    <Sheet
      label={t("print.pick")}
      title={t("print.pick")}
      branding={branding}
      facts={[
        [t("orders.title"), count(orders.length)],
        [t("print.date"), dateOf(new Date().toISOString())],
      ]}
    >
      <table>
        <thead>
          <tr>
            <th scope="col" className="tick-box">
              {t("print.picked")}
            </th>
            <th scope="col" className="numeric">
              {t("order.quantity")}
            </th>
            <th scope="col">{t("order.item")}</th>
            <th scope="col">{t("products.sku")}</th>
            <th scope="col">{t("orders.title")}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ item, quantity, parts }) => (
            <tr key={`${item.productId} ${item.sku}`}>
              <td className="tick-box">
                <span />
              </td>
              <td className="numeric">{count(quantity)}</td>
              <td>{item.name}</td>
              <td>{item.sku}</td>
              <td>{parts.join(", ")}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            <td className="numeric">{count(sorted.reduce((sum, pick) => sum + pick.quantity, 0))}</td>
            <td colSpan={3}>{t("print.pieces")}</td>
          </tr>
        </tfoot>
      </table>
    </Sheet>
  );
}
