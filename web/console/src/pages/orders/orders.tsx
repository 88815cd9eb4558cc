import { Button, Group, Menu, Stack, TextInput } from "@mantine/core";
import { IconBookmark, IconDownload, IconPlus, IconTrash } from "@tabler/icons-react";
import { useCallback, useMemo, useState } from "react";
import { useSearch, useSearchParams } from "wouter";
import type { Order } from "../../api";
import { filterValues, valuesOf } from "../../enums";
import { closedStatuses, hasParcel, openStatuses, orderStatuses } from "../../lib/order-status";
import { useSavedViews } from "../../lib/saved-views";
import { shopCurrency } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, Money, PageHead, Status, When } from "../../ui/basics";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { notifyUndo } from "../../ui/form";
import { NothingMatches, type Column } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { NoOpenOrders } from "../../ui/no-orders";
import { BulkBar } from "./order-bulk";
import { ExportDialog } from "./order-export";
import { ClosedMatches, useClosedMatches } from "./order-matches";
import { Modal } from "../../ui/modal";

const filters: Filter[] = [
  {
    key: "status",
    label: t("orders.status"),
    kind: "choices",
    data: choicesOf("orderStatus", orderStatuses),
    quick: true,
  },
  {
    key: "shippingStatus",
    label: t("orders.parcel"),
    kind: "choices",
    data: choicesOf("shippingStatus", valuesOf("Order", "shippingStatus")),
  },
  { key: "createdFrom", label: t("orders.placedFrom"), kind: "from" },
  { key: "createdTo", label: t("orders.placedTo"), kind: "to" },
  { key: "productId", label: t("newOrder.product"), kind: "record", of: "product" },
  { key: "customerId", label: t("orders.customer"), kind: "record", of: "customer" },
  { key: "discountId", label: t("order.discount"), kind: "record", of: "discount" },
  {
    key: "paymentMethod",
    label: t("orders.paymentMethod"),
    kind: "choice",
    data: choicesOf("method", filterValues("/api/data/order", "paymentMethod")),
  },
  {
    key: "paymentStatus",
    label: t("orders.paymentStatus"),
    kind: "choice",
    data: choicesOf("paymentStatus", filterValues("/api/data/order", "paymentStatus")),
  },
  { key: "totalMin", label: t("orders.totalMin"), kind: "money" },
  { key: "totalMax", label: t("orders.totalMax"), kind: "money" },
];
const keys = ["view", "search", "sort", ...filters.map((filter) => filter.key)];
const sorts = ["-createdAt", "createdAt", "-totalCents", "totalCents", "orderNumber"].map((value) => ({
  value,
  label: t(`orderSort.${value}` as "orderSort.createdAt"),
}));

const columns: Column<Order>[] = [
  { title: t("orders.number"), cell: (order) => order.orderNumber },
  { title: t("orders.customer"), cell: (order) => order.customer.name, phone: true },
  { title: t("orders.status"), cell: (order) => <Status value={order.status} kind="orderStatus" />, phone: true },
  {
    title: t("orders.parcel"),
    cell: (order) => hasParcel(order) && <Status value={order.shippingStatus} kind="shippingStatus" />,
  },
  { title: t("orders.created"), cell: (order) => <When at={order.createdAt} />, phone: true },
  {
    title: t("orders.total"),
    cell: (order) => <Money cents={order.totalCents} currency={order.currency} />,
    numeric: true,
    phone: true,
  },
];

const idOf = (order: Order) => order.id;
const hrefOf = (order: Order) => `/orders/${order.id}`;
const versionOf = (order: Order) => order.updatedAt;

export function OrdersPage() {
  const { may } = useSession();
  const { values, change, clear } = useUrlState(keys);
  const [currency, setCurrency] = useState(shopCurrency);
  const [selected, setSelected] = useState<ReadonlyMap<string, Order>>(new Map());
  const [exporting, setExporting] = useState(false);
  // Without a chosen status the list has the open orders, which need work, unless all are asked for.
  const { chosen, query } = useMemo(() => {
    const asked = queryOf(filters, values, currency);
    return {
      chosen: asked,
      query: asked["status"] || values["view"] === "all" ? asked : { ...asked, status: openStatuses.join() },
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [JSON.stringify(values), currency]);
  // A search finds all orders: the open ones first, the others below.
  const searchesAll = query !== chosen && Boolean(chosen["search"]);
  const closed = useClosedMatches(searchesAll ? chosen : null);
  const filtered = keys.some((key) => key !== "view" && key !== "sort" && values[key] !== "");
  const onPage = useCallback((items: Order[]) => {
    if (items[0]) setCurrency(items[0].currency);
    // Orders that are shown again are newer than those that were ticked.
    setSelected((before) =>
      before.size === 0
        ? before
        : new Map(items.filter((order) => before.has(order.id)).map((order) => [order.id, order])),
    );
  }, []);
  const add = (
    <GuardedButton allowed={may("data.write")} href="/orders/new" leftSection={<IconPlus size={16} />}>
      {t("orders.add")}
    </GuardedButton>
  );
  const someClosed = searchesAll && (closed.data?.items.length ?? 0) > 0;
  const nothing = someClosed ? (
    <Empty title={t("orders.noOpenMatch")} text={t("orders.closedBelow")} />
  ) : (
    <NothingMatches clear={clear} />
  );
  return (
    <>
      <PageHead
        title={t("orders.title")}
        actions={
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setExporting(true)}>
            {t("orders.export")}
          </Button>
        }
        primary={add}
      />
      <Views />
      <FilterBar filters={filters} values={values} change={change} search={t("orders.search")} sort={sorts} />
      {selected.size > 0 && <BulkBar orders={[...selected.values()]} clear={() => setSelected(new Map())} />}
      <PagedList<Order>
        label={t("orders.title")}
        path="/api/data/order"
        query={query}
        columns={columns}
        keyOf={idOf}
        hrefOf={hrefOf}
        versionOf={versionOf}
        onPage={onPage}
        newText={values["sort"] ? undefined : (count) => t(count === 1 ? "orders.newOne" : "orders.new", { count })}
        selection={
          may("data.write")
            ? {
                has: (order) => selected.has(order.id),
                nameOf: (order) => order.orderNumber,
                toggle: (orders, on) =>
                  setSelected((before) => {
                    const next = new Map(before);
                    for (const order of orders) on ? next.set(order.id, order) : next.delete(order.id);
                    return next;
                  }),
              }
            : undefined
        }
        empty={
          filtered ? (
            nothing
          ) : values["view"] === "all" ? (
            <Empty title={t("orders.empty")} text={t("orders.emptyText")} action={add} />
          ) : (
            <NoOpenOrders action={add} />
          )
        }
      />
      {searchesAll && (
        <ClosedMatches
          matches={closed}
          columns={columns}
          keyOf={idOf}
          hrefOf={hrefOf}
          showAll={() => change({ status: closedStatuses.join() })}
        />
      )}
      {exporting && <ExportDialog query={searchesAll ? chosen : query} close={() => setExporting(false)} />}
    </>
  );
}

const builtIn: { name: string; search: string }[] = [
  { name: t("orders.open"), search: "" },
  { name: t("orders.toPay"), search: "status=PENDING_PAYMENT" },
  { name: t("orders.toShip"), search: "status=PAID%2CFULFILLING" },
  { name: t("orders.all"), search: "view=all" },
];

/** The views that every shop has, those that the person has saved, and a way to save the present filters. */
function Views() {
  const { views, save, remove } = useSavedViews("orders");
  const [, setParameters] = useSearchParams();
  const [naming, setNaming] = useState(false);
  const present = new URLSearchParams(useSearch());
  present.delete("after");
  present.sort();
  const now = present.toString();
  const sorted = (search: string) => {
    const parameters = new URLSearchParams(search);
    parameters.sort();
    return parameters.toString();
  };
  const all = [...builtIn, ...views];
  const known = all.some((view) => sorted(view.search) === now);
  return (
    <Group gap="xs" mb="md" role="group" aria-label={t("orders.view")}>
      {all.map((view) => {
        const current = sorted(view.search) === now;
        return (
          <Button
            key={view.name}
            size="compact-sm"
            variant={current ? "filled" : "default"}
            aria-pressed={current}
            onClick={() => setParameters(new URLSearchParams(view.search))}
          >
            {view.name}
          </Button>
        );
      })}
      {(!known || views.length > 0) && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button size="compact-sm" variant="subtle" leftSection={<IconBookmark size={14} />}>
              {t("views.menu")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={known} leftSection={<IconBookmark size={14} />} onClick={() => setNaming(true)}>
              {t("views.save")}
            </Menu.Item>
            {views.map((view) => (
              <Menu.Item
                key={view.name}
                leftSection={<IconTrash size={14} />}
                onClick={() => {
                  remove(view.name);
                  notifyUndo(t("views.removed", { name: view.name }), async () => save(view));
                }}
              >
                {t("views.remove", { name: view.name })}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {naming && (
        <NameDialog
          save={(name) => save({ name, search: now })}
          taken={builtIn.map((view) => view.name)}
          close={() => setNaming(false)}
        />
      )}
    </Group>
  );
}

function NameDialog({ save, taken, close }: { save: (name: string) => void; taken: string[]; close: () => void }) {
  const [name, setName] = useState("");
  const wrong = taken.includes(name.trim());
  return (
    <Modal onClose={close} title={t("views.save")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(name.trim());
          close();
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t("views.name")}
            description={t("views.text")}
            maxLength={40}
            value={name}
            error={wrong && t("views.taken")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={name.trim() === "" || wrong}>
              {t("views.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
