import { Button, Group, Paper, SegmentedControl, Select, Skeleton, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, type BestCustomer, type CustomersReport, type ProductRow, type ProductsReport, type SalesReport } from "../api";
import { count, money } from "../lib/format";
import { loadablePart } from "../lib/loadable";
import { shopCurrency, shopTimeZone } from "../lib/shop";
import { useUrlState } from "../lib/url-state";
import { t } from "../text";
import { Empty, ErrorNotice, Money, PageHead } from "../ui/basics";
import { Figures, startText } from "../ui/figures";
import { List } from "../ui/list";

// The library that draws is larger than the page: the table is there before it.
const SalesChart = loadablePart(() => import("../ui/sales-chart").then((m) => m.SalesChart));

const base = "/api/admin/reports";
const intervals = ["day", "week", "month"] as const;
const tabs = ["sales", "products", "customers"] as const;
type Period = { from: string; to: string; interval: string; currency: string; timeZone: string };

function useReport<T>(name: string, period: Period) {
  return useQuery({ queryKey: [`${base}/${name}`, period], queryFn: ({ signal }) => api.get<T>(`${base}/${name}`, { query: period, signal }), placeholderData: keepPreviousData });
}

export function ReportsPage() {
  const { values, change } = useUrlState(["tab", "from", "to", "interval", "currency"] as const);
  const tab = tabs.find((each) => each === values.tab) ?? "sales";
  const interval = intervals.find((each) => each === values.interval) ?? "day";
  const period: Period = { from: values.from, to: values.to, interval, currency: values.currency, timeZone: shopTimeZone() };
  const sales = useReport<SalesReport>("sales", period);
  const { currencies = [], currency = shopCurrency(), from = "", to = "" } = sales.data ?? {};

  // A shop that sells in another currency than the default one sees its own.
  const own = values.currency === "" && currencies.length > 0 && !currencies.includes(currency) ? currencies[0]! : "";
  useEffect(() => {
    if (own !== "") change({ currency: own });
  }, [own, change]);

  return (
    <>
      <PageHead title={t("reports.title")} actions={<Download report={tab === "customers" ? "customers/best" : tab} period={period} />} />
      <Stack>
        <Group gap="sm" align="flex-end">
          <TextInput type="date" label={t("filter.from")} value={values.from || from} onChange={(event) => change({ from: event.currentTarget.value })} />
          <TextInput type="date" label={t("filter.to")} value={values.to || to} onChange={(event) => change({ to: event.currentTarget.value })} />
          <Select label={t("products.currency")} w={110} allowDeselect={false} value={values.currency || currency} data={[...new Set([...currencies, values.currency || currency])]} onChange={(chosen) => chosen && change({ currency: chosen })} />
          {tab !== "products" && (
            <SegmentedControl aria-label={t("reports.interval")} value={interval} data={intervals.map((each) => ({ value: each, label: t(`reports.${each}`) }))} onChange={(chosen) => change({ interval: chosen === "day" ? "" : chosen })} />
          )}
        </Group>
        <Tabs value={tab} onChange={(chosen) => change({ tab: chosen === "sales" ? "" : (chosen ?? "") })} keepMounted={false}>
          <Tabs.List mb="md">
            {tabs.map((each) => <Tabs.Tab key={each} value={each}>{t(`reports.${each}`)}</Tabs.Tab>)}
          </Tabs.List>
          <Text size="sm" c="dimmed" mb="md">{t("reports.zone", { zone: shopTimeZone() })}</Text>
          <Tabs.Panel value="sales">
            {sales.error ? <ErrorNotice error={sales.error} retry={() => void sales.refetch()} /> : <Sales report={sales.data} />}
          </Tabs.Panel>
          <Tabs.Panel value="products"><Products period={period} /></Tabs.Panel>
          <Tabs.Panel value="customers"><Customers period={period} /></Tabs.Panel>
        </Tabs>
      </Stack>
    </>
  );
}

function Download({ report, period }: { report: string; period: Period }) {
  const { interval, ...rest } = period;
  const chosen = Object.entries(report === "sales" ? { ...rest, interval } : rest).filter(([, value]) => value !== "");
  return (
    <Button component="a" variant="default" leftSection={<IconDownload size={16} />} href={`${base}/${report}?${new URLSearchParams([...chosen, ["format", "csv"]])}`} download>
      {t("reports.download")}
    </Button>
  );
}

function Sales({ report }: { report: SalesReport | undefined }) {
  const totals = report?.totals;
  const inMoney = (cents: number | undefined) => cents !== undefined && report ? money(cents, report.currency) : undefined;
  const nothing = totals !== undefined && totals.orders === 0 && totals.refunds === 0;
  return (
    <Stack>
      <Figures figures={[[t("reports.total"), inMoney(totals?.totalCents)], [t("reports.refunds"), inMoney(totals?.refundCents)], [t("reports.net"), inMoney(totals?.netCents)], [t("reports.orders"), totals && count(totals.orders)]]} />
      {!report && <Skeleton height={320} />}
      {nothing && <Paper><Empty title={t("reports.empty")} text={t("reports.emptyText")} /></Paper>}
      {report && !nothing && (
        <>
          <Paper>
            <SalesChart
              meanwhile={<Skeleton height={320} />}
              label={t("reports.chart", { from: report.from, to: report.to, total: money(report.totals.totalCents, report.currency) })}
              names={{ total: t("reports.total"), refunds: t("reports.refunds") }}
              points={report.items.map((row) => ({ start: startText(row.start, report.interval), total: row.totalCents, refunds: -row.refundCents }))}
              currency={report.currency}
            />
          </Paper>
          <SalesTable report={report} />
        </>
      )}
    </Stack>
  );
}

function SalesTable({ report }: { report: SalesReport }) {
  const inMoney = (cents: number) => money(cents, report.currency);
  const row = (name: string, figures: SalesReport["totals"]) => (
    <>
      <td className="one-line">{name}</td>
      <td className="numeric">{count(figures.orders)}</td>
      <td className="numeric wide">{inMoney(figures.discountCents)}</td>
      <td className="numeric wide">{inMoney(figures.taxCents)}</td>
      <td className="numeric">{inMoney(figures.totalCents)}</td>
      <td className="numeric wide">{inMoney(figures.refundCents)}</td>
      <td className="numeric">{inMoney(figures.netCents)}</td>
    </>
  );
  return (
    <Paper p={0}>
      <table className="rows figures" aria-label={t("reports.table")}>
        <thead>
          <tr>
            <th scope="col">{t(`reports.${report.interval}`)}</th>
            <th scope="col" className="numeric">{t("reports.orders")}</th>
            <th scope="col" className="numeric wide">{t("order.discount")}</th>
            <th scope="col" className="numeric wide">{t("order.tax")}</th>
            <th scope="col" className="numeric">{t("reports.total")}</th>
            <th scope="col" className="numeric wide">{t("reports.refunds")}</th>
            <th scope="col" className="numeric">{t("reports.net")}</th>
          </tr>
        </thead>
        <tbody>{[...report.items].reverse().map((figures) => <tr key={figures.start}>{row(startText(figures.start, report.interval), figures)}</tr>)}</tbody>
        <tfoot><tr>{row(t("reports.all"), report.totals)}</tr></tfoot>
      </table>
    </Paper>
  );
}

function Products({ period: { interval: _, ...period } }: { period: Period }) {
  const report = useReport<ProductsReport>("products", period as Period);
  const currency = report.data?.currency ?? shopCurrency();
  return (
    <List<ProductRow>
      label={t("reports.products")}
      columns={[
        { title: t("newOrder.product"), cell: (row) => row.name ?? t("reports.unnamed") },
        { title: t("products.sku"), cell: (row) => row.sku },
        { title: t("reports.units"), cell: (row) => count(row.units), numeric: true },
        { title: t("reports.orders"), cell: (row) => count(row.orders), numeric: true },
        { title: t("order.discount"), cell: (row) => <Money cents={row.discountCents} currency={currency} />, numeric: true },
        { title: t("reports.total"), cell: (row) => <Money cents={row.totalCents} currency={currency} />, numeric: true, phone: true },
      ]}
      items={report.data?.items}
      keyOf={(row) => row.productId}
      error={report.error}
      retry={() => void report.refetch()}
      empty={<Empty title={t("reports.empty")} text={t("reports.emptyText")} />}
      footer={report.data && !report.data.isComplete && <Text size="sm" c="dimmed">{t("reports.more")}</Text>}
    />
  );
}

function Customers({ period }: { period: Period }) {
  const report = useReport<CustomersReport>("customers", period);
  const totals = report.data?.totals;
  const currency = report.data?.currency ?? shopCurrency();
  return (
    <Stack>
      <Figures figures={[[t("reports.newCustomers"), totals && count(totals.newCustomers)], [t("reports.orders"), totals && count(totals.orders)], [t("reports.returningOrders"), totals && count(totals.returningOrders)], [t("reports.guestOrders"), totals && count(totals.guestOrders)]]} />
      <List<BestCustomer>
        label={t("reports.best")}
        columns={[
          { title: t("reports.best"), cell: (row) => row.name ?? t("reports.unnamed") },
          { title: t("reports.orders"), cell: (row) => count(row.orders), numeric: true },
          { title: t("reports.total"), cell: (row) => <Money cents={row.totalCents} currency={currency} />, numeric: true, phone: true },
        ]}
        items={report.data?.best}
        keyOf={(row) => row.customerId}
        hrefOf={(row) => `/customers/${row.customerId}`}
        error={report.error}
        retry={() => void report.refetch()}
        empty={<Empty title={t("reports.empty")} text={t("reports.noCustomers")} />}
      />
    </Stack>
  );
}
