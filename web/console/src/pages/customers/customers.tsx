import { IconPlus } from "@tabler/icons-react";
import type { Customer } from "../../api";
import { valuesOf } from "../../enums";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";

const filters: Filter[] = [
  {
    key: "isActive",
    label: t("customers.state"),
    kind: "choice",
    quick: true,
    data: [
      { value: "true", label: t("customerState.ACTIVE") },
      { value: "false", label: t("customerState.INACTIVE") },
    ],
  },
  {
    key: "source",
    label: t("customers.source"),
    kind: "choice",
    quick: true,
    data: choicesOf("source", valuesOf("Customer", "source")),
  },
  { key: "createdFrom", label: t("customers.sinceFrom"), kind: "from" },
  { key: "createdTo", label: t("customers.sinceTo"), kind: "to" },
];
const keys = ["search", "sort", ...filters.map((filter) => filter.key)];

export function CustomersPage() {
  const { may } = useSession();
  const { values, change, clear, filtered } = useUrlState(keys);
  const add = (
    <GuardedButton allowed={may("data.write")} href="/customers/new" leftSection={<IconPlus size={16} />}>
      {t("customers.add")}
    </GuardedButton>
  );
  return (
    <>
      <PageHead title={t("customers.title")} primary={add} />
      <FilterBar filters={filters} values={values} change={change} search={t("customers.search")} />
      <PagedList<Customer>
        label={t("customers.title")}
        path="/api/data/customer"
        query={queryOf(filters, values)}
        columns={[
          { title: t("customers.name"), cell: (customer) => customer.chatDisplayName },
          { title: t("customers.username"), cell: (customer) => customer.chatUsername, phone: true },
          { title: t("customer.email"), cell: (customer) => customer.email },
          {
            title: t("customers.state"),
            cell: (customer) => <Status value={customer.isActive ? "ACTIVE" : "INACTIVE"} kind="customerState" />,
            phone: true,
          },
          { title: t("customers.since"), cell: (customer) => <When at={customer.createdAt} />, phone: true },
        ]}
        keyOf={(customer) => customer.id}
        hrefOf={(customer) => `/customers/${customer.id}`}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty title={t("customers.empty")} text={t("customers.emptyText")} action={add} />
          )
        }
      />
    </>
  );
}
