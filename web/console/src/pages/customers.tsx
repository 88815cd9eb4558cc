import { IconPlus } from "@tabler/icons-react";
import type { Customer } from "../api";
import { useSession } from "../session";
import { t } from "../text";
import { Empty, GuardedButton, PageHead, Status, When } from "../ui/basics";
import { CursorList } from "../ui/list";

export function CustomersPage() {
  const { may } = useSession();
  const add = (
    <GuardedButton allowed={may("data.write")} href="/customers/new" leftSection={<IconPlus size={16} />}>{t("customers.add")}</GuardedButton>
  );
  return (
    <>
      <PageHead title={t("customers.title")} actions={add} />
      <CursorList<Customer>
        label={t("customers.title")}
        path="/api/data/customer"
        columns={[
          { title: t("customers.name"), cell: (customer) => customer.chatDisplayName },
          { title: t("customers.username"), cell: (customer) => customer.chatUsername, phone: true },
          { title: t("customer.email"), cell: (customer) => customer.email ?? t("none") },
          { title: t("customers.state"), cell: (customer) => <Status value={customer.isActive ? "ACTIVE" : "INACTIVE"} kind="customerState" />, phone: true },
          { title: t("customers.since"), cell: (customer) => <When at={customer.createdAt} /> },
        ]}
        keyOf={(customer) => customer.id}
        hrefOf={(customer) => `/customers/${customer.id}`}
        empty={<Empty title={t("customers.empty")} text={t("customers.emptyText")} action={add} />}
      />
    </>
  );
}
