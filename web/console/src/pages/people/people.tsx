import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconMail, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, type GrantHolder, type User } from "../../api";
import { useUrlState } from "../../lib/url-state";
import { rightName } from "../../lib/roles";
import { t } from "../../text";
import { Empty, GuardedButton, PageHead, When } from "../../ui/basics";
import { FormPage } from "../../ui/form";
import { FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { Invitations, InviteDialog } from "./invitations";
import { Roles } from "./roles";
import { Modal } from "../../ui/modal";

const filters: Filter[] = [];

export function PeoplePage() {
  const [adding, setAdding] = useState(false);
  const [inviting, setInviting] = useState(false);
  const { values, change, clear, filtered } = useUrlState(["search"]);
  const grants = useQuery({
    queryKey: ["/api/admin/grants"],
    queryFn: () => api.get<Page<GrantHolder>>("/api/admin/grants"),
  });
  const rightsOf = (id: string) =>
    (grants.data?.items.find((each) => each.userId === id)?.keys ?? []).map(rightName).join(", ");
  const invite = (
    <GuardedButton allowed leftSection={<IconMail size={16} />} onClick={() => setInviting(true)}>
      {t("invite.button")}
    </GuardedButton>
  );
  const add = (
    <GuardedButton allowed variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t("people.add")}
    </GuardedButton>
  );
  return (
    <>
      <PageHead title={t("people.title")} actions={add} primary={invite} />
      <FilterBar filters={filters} values={values} change={change} search={t("people.search")} />
      <PagedList<User>
        label={t("people.title")}
        path="/api/data/user"
        query={queryOf(filters, values)}
        columns={[
          { title: t("people.name"), cell: (user) => user.displayName },
          { title: t("signIn.username"), cell: (user) => user.username, phone: true },
          { title: t("people.rights"), cell: (user) => rightsOf(user.id), phone: true },
          { title: t("customer.email"), cell: (user) => user.email },
          { title: t("customers.since"), cell: (user) => <When at={user.createdAt} />, phone: true },
        ]}
        keyOf={(user) => user.id}
        hrefOf={(user) => `/people/${user.id}`}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty title={t("people.empty")} text={t("people.emptyText")} action={invite} />
          )
        }
      />
      <Roles />
      <Invitations />
      {inviting && <InviteDialog close={() => setInviting(false)} />}
      {adding && <AddDialog close={() => setAdding(false)} />}
    </>
  );
}

function AddDialog({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const form = useForm({ initialValues: { username: "", displayName: "", email: "" } });
  return (
    <Modal onClose={close} title={t("people.add")}>
      <FormPage
        form={form}
        isNew
        saveLabel={t("people.add")}
        save={async (values) => {
          const user = await api.post<User>("/api/data/user", { ...values, email: values.email || null });
          await queries.invalidateQueries({ queryKey: ["/api/data/user"] });
          navigate(`/people/${user.id}`);
        }}
      >
        <TextInput label={t("people.name")} required data-autofocus {...form.getInputProps("displayName")} />
        <TextInput label={t("signIn.username")} required autoCapitalize="none" {...form.getInputProps("username")} />
        <TextInput label={t("customer.email")} type="email" {...form.getInputProps("email")} />
      </FormPage>
    </Modal>
  );
}
