import { Button, Group, Pagination, Select, SegmentedControl, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, type OpenOrder, type OpenOrdersPage, type Order } from "../api";
import { count } from "../lib/format";
import { useUrlState } from "../lib/url-state";
import { useSession } from "../session";
import { t } from "../text";
import { Empty, GuardedButton, Money, PageHead, Status, When } from "../ui/basics";
import { CursorList, List, NothingMatches, type Column } from "../ui/list";

const pageSize = 50;

function columns<T extends OpenOrder | Order>(nameOf: (order: T) => string): Column<T>[] {
  return [
    { title: t("orders.number"), cell: (order) => order.orderNumber },
    { title: t("orders.customer"), cell: nameOf, phone: true },
    { title: t("orders.status"), cell: (order) => <Status value={order.status} kind="orderStatus" />, phone: true },
    { title: t("orders.parcel"), cell: (order) => <Status value={order.shippingStatus} kind="shippingStatus" /> },
    { title: t("orders.created"), cell: (order) => <When at={order.createdAt} /> },
    { title: t("orders.total"), cell: (order) => <Money cents={order.totalCents} currency={order.currency} />, numeric: true, phone: true },
  ];
}

export function OrdersPage() {
  const { may } = useSession();
  const { values, change } = useUrlState(["view"]);
  const all = values.view === "all" || !may("admin.access");
  return (
    <>
      <PageHead
        title={t("orders.title")}
        actions={
          <GuardedButton allowed={may("data.write")} href="/orders/new" leftSection={<IconPlus size={16} />}>
            {t("orders.add")}
          </GuardedButton>
        }
      />
      {may("admin.access") && (
        <SegmentedControl
          mb="md"
          aria-label={t("orders.view")}
          value={all ? "all" : "open"}
          data={[{ value: "open", label: t("orders.open") }, { value: "all", label: t("orders.all") }]}
          onChange={(view) => change({ view: view === "all" ? "all" : "" })}
        />
      )}
      {all ? <AllOrders /> : <OpenOrders />}
    </>
  );
}

function AllOrders() {
  return (
    <CursorList<Order>
      label={t("orders.all")}
      path="/api/data/order"
      columns={columns<Order>((order) => order.customer.name)}
      keyOf={(order) => order.id}
      hrefOf={(order) => `/orders/${order.id}`}
      empty={<Empty title={t("orders.empty")} text={t("orders.emptyText")} action={<AddOrder />} />}
    />
  );
}

function AddOrder() {
  return <Button component={Link} href="/orders/new">{t("orders.add")}</Button>;
}

function OpenOrders() {
  const { values, change, clear } = useUrlState(["status", "search", "createdFrom", "createdTo", "page"]);
  const page = Math.max(1, Number(values.page) || 1);
  const query = {
    status: values.status,
    search: values.search,
    createdFrom: values.createdFrom && new Date(`${values.createdFrom}T00:00:00`).toISOString(),
    createdTo: values.createdTo && new Date(`${values.createdTo}T23:59:59.999`).toISOString(),
    page,
    pageSize,
  };
  const orders = useQuery({
    queryKey: ["/api/data/order/open", query],
    queryFn: ({ signal }) => api.get<OpenOrdersPage>("/api/data/order/open", { query, signal }),
    placeholderData: keepPreviousData,
  });
  const filtered = values.status !== "" || values.search !== "" || values.createdFrom !== "" || values.createdTo !== "";
  const total = orders.data?.total ?? 0;
  return (
    <>
      <Group mb="md" gap="sm" align="flex-end">
        <SearchField value={values.search} onChange={(search) => change({ search, page: "" })} />
        <Select
          label={t("orders.status")}
          placeholder={t("filter.any")}
          clearable
          w={{ base: "100%", xs: 200 }}
          value={values.status || null}
          data={["PENDING_PAYMENT", "PAID", "FULFILLING", "SHIPPED"].map((status) => ({ value: status, label: t(`orderStatus.${status}` as "orderStatus.PAID") }))}
          onChange={(status) => change({ status: status ?? "", page: "" })}
        />
        <TextInput type="date" label={t("filter.from")} value={values.createdFrom} onChange={(event) => change({ createdFrom: event.currentTarget.value, page: "" })} />
        <TextInput type="date" label={t("filter.to")} value={values.createdTo} onChange={(event) => change({ createdTo: event.currentTarget.value, page: "" })} />
      </Group>
      <List<OpenOrder>
        label={t("orders.open")}
        columns={columns<OpenOrder>((order) => order.customerName)}
        items={orders.data?.items}
        keyOf={(order) => order.id}
        hrefOf={(order) => `/orders/${order.id}`}
        error={orders.error}
        retry={() => void orders.refetch()}
        empty={filtered ? <NothingMatches clear={clear} /> : <Empty title={t("orders.empty")} text={t("orders.emptyText")} action={<AddOrder />} />}
        footer={
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite">{orders.data && t("orders.total.count", { count: count(total) })}</Text>
            {total > pageSize && (
              <Pagination total={Math.ceil(total / pageSize)} value={page} onChange={(to) => change({ page: to === 1 ? "" : String(to) })} getControlProps={(control) => ({ "aria-label": t(`paging.${control}` as "paging.next") })} />
            )}
          </Group>
        }
      />
    </>
  );
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const settle = useDebouncedCallback(onChange, 250);
  return (
    <TextInput
      type="search"
      label={t("orders.search")}
      leftSection={<IconSearch size={16} />}
      w={{ base: "100%", xs: 240 }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        settle(event.currentTarget.value);
      }}
    />
  );
}
