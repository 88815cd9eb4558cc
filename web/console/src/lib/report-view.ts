// What each report shows: its most important figures and a table. The page, the printed page and the CSV file are made of
// the same columns.
import type {
  BestCustomer,
  CustomersReport,
  DiscountRow,
  DiscountsReport,
  PaymentMethodRow,
  PaymentMethodsReport,
  ProductRow,
  ProductsReport,
  SalesReport,
  StockReport,
  StockRow,
  TaxReport,
} from "../api";
import { t, textOr, type TextKey } from "../text";
import { type Cell, csvText } from "./csv";
import { count, money, moneyInput } from "./format";

export const reportTabs = ["sales", "products", "customers", "discounts", "payment-methods", "tax", "stock"] as const;
export type ReportTab = (typeof reportTabs)[number];

export interface ReportFigure {
  name: string;
  kind: "count" | "money";
  value: number;
  /** Of the period before. */
  before?: number | null;
  /** More is worse, or neither better nor worse. */
  neutral?: boolean;
}

export interface ReportColumn<Row> {
  title: string;
  kind: "text" | "day" | "count" | "money";
  of: (row: Row) => string | number | null | undefined;
  /** Left out where there is little room. */
  wide?: boolean;
}

export interface ReportView<Row> {
  currency: string;
  figures: ReportFigure[];
  columns: ReportColumn<Row>[];
  rows: Row[];
  totals?: Row;
  keyOf: (row: Row) => string;
  hrefOf?: (row: Row) => string | null;
  /** False: there are more rows than the server has sent. */
  complete: boolean;
  /** What is compared of a row with the same row of the period before. */
  compared?: {
    name: string;
    of: (row: Row) => number;
    key: (row: Row, index: number) => string;
    newestFirst?: boolean;
  };
}

type AnyRow = any;

const sum = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);

function figures<Report>(
  now: Report,
  before: Report | undefined,
  list: [TextKey, "count" | "money", (report: Report) => number, boolean?][],
): ReportFigure[] {
  return list.map(([name, kind, of, neutral = false]) => ({
    name: t(name),
    kind,
    value: of(now),
    before: before && of(before),
    neutral,
  }));
}

type Intervals = SalesReport["totals"] | TaxReport["totals"];
const start: ReportColumn<Intervals> = { title: "", kind: "day", of: (row) => row.start };
const total = {
  title: t("reports.total"),
  kind: "money",
  of: (row: { totalCents: number }) => row.totalCents,
} as const;
const orders = { title: t("reports.orders"), kind: "count", of: (row: { orders: number }) => row.orders } as const;
const byInterval = <Row>(name: string, of: (row: Row) => number) => ({
  name,
  of,
  key: (_: Row, index: number) => String(index),
  newestFirst: true,
});

function sales(now: SalesReport, before?: SalesReport): ReportView<SalesReport["totals"]> {
  return {
    currency: now.currency,
    figures: figures(now, before, [
      ["reports.total", "money", (r) => r.totals.totalCents],
      ["reports.refunds", "money", (r) => r.totals.refundCents, true],
      ["reports.net", "money", (r) => r.totals.netCents],
      ["reports.orders", "count", (r) => r.totals.orders],
    ]),
    columns: [
      start as ReportColumn<SalesReport["totals"]>,
      orders,
      { title: t("order.discount"), kind: "money", of: (row) => row.discountCents, wide: true },
      { title: t("order.tax"), kind: "money", of: (row) => row.taxCents, wide: true },
      total,
      { title: t("reports.refunds"), kind: "money", of: (row) => row.refundCents, wide: true },
      { title: t("reports.net"), kind: "money", of: (row) => row.netCents },
    ],
    rows: now.items,
    totals: now.totals,
    keyOf: (row) => row.start,
    complete: true,
    compared: byInterval(t("reports.net"), (row) => row.netCents),
  };
}

function tax(now: TaxReport, before?: TaxReport): ReportView<TaxReport["totals"]> {
  return {
    currency: now.currency,
    figures: figures(now, before, [
      ["order.tax", "money", (r) => r.totals.taxCents, true],
      ["reports.beforeTax", "money", (r) => r.totals.beforeTaxCents],
      ["reports.total", "money", (r) => r.totals.totalCents],
      ["reports.orders", "count", (r) => r.totals.orders],
    ]),
    columns: [
      start as ReportColumn<TaxReport["totals"]>,
      { ...orders, wide: true },
      { title: t("reports.beforeTax"), kind: "money", of: (row) => row.beforeTaxCents },
      { title: t("order.tax"), kind: "money", of: (row) => row.taxCents },
      { ...total, wide: true },
    ],
    rows: now.items,
    totals: now.totals,
    keyOf: (row) => row.start,
    complete: true,
    compared: byInterval(t("order.tax"), (row) => row.taxCents),
  };
}

function products(now: ProductsReport): ReportView<ProductRow> {
  return {
    currency: now.currency,
    figures: [],
    columns: [
      { title: t("newOrder.product"), kind: "text", of: (row) => row.name ?? t("reports.unnamed") },
      { title: t("products.sku"), kind: "text", of: (row) => row.sku, wide: true },
      { title: t("reports.units"), kind: "count", of: (row) => row.units },
      { ...orders, wide: true },
      { title: t("order.discount"), kind: "money", of: (row) => row.discountCents, wide: true },
      total,
    ],
    rows: now.items,
    keyOf: (row) => row.productId,
    hrefOf: (row) => (row.name == null ? null : `/products/${row.productId}`),
    complete: now.isComplete,
    compared: { name: total.title, of: (row) => row.totalCents, key: (row) => row.productId },
  };
}

function customers(now: CustomersReport, before?: CustomersReport): ReportView<BestCustomer> {
  return {
    currency: now.currency,
    figures: figures(now, before, [
      ["reports.newCustomers", "count", (r) => r.totals.newCustomers],
      ["reports.orders", "count", (r) => r.totals.orders],
      ["reports.returningOrders", "count", (r) => r.totals.returningOrders],
      ["reports.guestOrders", "count", (r) => r.totals.guestOrders, true],
    ]),
    columns: [{ title: t("reports.best"), kind: "text", of: (row) => row.name ?? t("reports.unnamed") }, orders, total],
    rows: now.best,
    keyOf: (row) => row.customerId,
    hrefOf: (row) => (row.name == null ? null : `/customers/${row.customerId}`),
    complete: true,
    compared: { name: total.title, of: (row) => row.totalCents, key: (row) => row.customerId },
  };
}

function discounts(now: DiscountsReport, before?: DiscountsReport): ReportView<DiscountRow> {
  const known = now.isComplete && before?.isComplete !== false;
  return {
    currency: now.currency,
    figures: !known
      ? []
      : figures(now, before, [
          ["reports.discounted", "money", (r) => sum(r.items, (row) => row.discountCents), true],
          ["reports.discountedSales", "money", (r) => sum(r.items, (row) => row.totalCents)],
          ["reports.discountedOrders", "count", (r) => sum(r.items, (row) => row.orders)],
        ]),
    columns: [
      { title: t("reports.code"), kind: "text", of: (row) => row.code ?? t("reports.unnamed") },
      orders,
      { title: t("reports.gross"), kind: "money", of: (row) => row.grossCents, wide: true },
      { title: t("order.discount"), kind: "money", of: (row) => row.discountCents },
      { ...total, wide: true },
    ],
    rows: now.items,
    keyOf: (row) => row.discountId,
    hrefOf: (row) => (row.code == null ? null : `/discounts/${row.discountId}`),
    complete: now.isComplete,
    compared: { name: t("order.discount"), of: (row) => row.discountCents, key: (row) => row.discountId },
  };
}

function paymentMethods(now: PaymentMethodsReport, before?: PaymentMethodsReport): ReportView<PaymentMethodRow> {
  return {
    currency: now.currency,
    figures: figures(now, before, [
      ["reports.total", "money", (r) => sum(r.items, (row) => row.totalCents)],
      ["reports.refunds", "money", (r) => sum(r.items, (row) => row.refundCents), true],
      ["reports.net", "money", (r) => sum(r.items, (row) => row.netCents)],
      ["reports.orders", "count", (r) => sum(r.items, (row) => row.orders)],
    ]),
    columns: [
      { title: t("payments.through"), kind: "text", of: (row) => textOr(`provider.${row.provider}`, row.provider) },
      orders,
      { ...total, wide: true },
      { title: t("reports.refunds"), kind: "money", of: (row) => row.refundCents, wide: true },
      { title: t("reports.net"), kind: "money", of: (row) => row.netCents },
    ],
    rows: now.items,
    keyOf: (row) => row.provider,
    complete: now.isComplete,
    compared: { name: t("reports.net"), of: (row) => row.netCents, key: (row) => row.provider },
  };
}

function stock(now: StockReport): ReportView<StockRow> {
  return {
    currency: now.currency,
    figures: [
      { name: t("reports.stockUnits"), kind: "count", value: now.units },
      { name: t("reports.stockValue"), kind: "money", value: now.valueCents },
      { name: t("reports.stockOut"), kind: "count", value: now.items.filter((row) => row.level === "OUT").length },
      { name: t("reports.stockLow"), kind: "count", value: now.items.filter((row) => row.level === "LOW").length },
    ],
    columns: [
      { title: t("newOrder.product"), kind: "text", of: (row) => row.name },
      { title: t("products.sku"), kind: "text", of: (row) => row.sku, wide: true },
      { title: t("reports.stockLevel"), kind: "text", of: (row) => t(`stockLevel.${row.level}`) },
      { title: t("reports.inStock"), kind: "count", of: (row) => row.stockQuantity },
      { title: t("reports.price"), kind: "money", of: (row) => row.priceCents, wide: true },
    ],
    rows: now.items,
    keyOf: (row) => row.productId,
    hrefOf: (row) => `/products/${row.productId}`,
    complete: now.isComplete && now.valueIsComplete,
  };
}

const views: Record<ReportTab, (now: AnyRow, before?: AnyRow) => ReportView<AnyRow>> = {
  sales,
  products,
  customers,
  discounts,
  "payment-methods": paymentMethods,
  tax,
  stock,
};

/** `before` is the same report of the period before. */
export function viewOf(tab: ReportTab, now: object, before: object | undefined): ReportView<AnyRow> {
  const view = views[tab](now, before);
  const earlier = before && views[tab](before);
  const { compared } = view;
  if (!earlier || !compared) return view;
  const known = new Map(earlier.rows.map((row, index) => [compared.key(row, index), compared.of(row)]));
  const keys = new Map(view.rows.map((row, index) => [row, compared.key(row, index)]));
  // A row that is missing before has no amount, unless the server has left some out.
  const missing = earlier.complete && !compared.newestFirst ? 0 : null;
  const of = (row: AnyRow) =>
    row === view.totals ? compared.of(earlier.totals) : (known.get(keys.get(row)!) ?? missing);
  return {
    ...view,
    columns: [
      ...view.columns,
      {
        title: t("reports.columnBefore", { name: compared.name }),
        kind: "money",
        of,
        wide: compared.newestFirst ?? false,
      },
    ],
  };
}

export function shownValue(
  kind: ReportColumn<unknown>["kind"],
  value: string | number | null | undefined,
  currency: string,
): string {
  if (value === null || value === undefined) return "–";
  return kind === "money" ? money(Number(value), currency) : kind === "count" ? count(Number(value)) : String(value);
}

/** Days as `2026-11-18`, amounts in units of the currency, which the head of their column names. */
export function reportCsv<Row>({ columns, rows, currency }: ReportView<Row>, firstColumn: string): string {
  const head = columns.map(({ title, kind }) => (kind === "money" ? `${title} (${currency})` : title || firstColumn));
  const cell = ({ kind, of }: ReportColumn<Row>, row: Row): Cell => {
    const value = of(row);
    return kind === "money" && typeof value === "number" ? moneyInput(value, currency) : value;
  };
  return csvText([head, ...rows.map((row) => columns.map((column) => cell(column, row)))]);
}
