import { Button, Grid, Group, Paper, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import { api, type Customer } from "../../api";
import { useRecord } from "../../lib/record";
import { changed } from "../../lib/refresh";
import { useSession } from "../../session";
import { t } from "../../text";
import { Facts, GuardedButton, PageHead, Status, Unavailable, When } from "../../ui/basics";
import { ConflictDialog } from "../../ui/dialogs";
import { attempt, FormPage, notifyUndo } from "../../ui/form";
import { CustomerMemberships, CustomerOrders, CustomerRoles, EraseDialog, exportCustomer } from "./customer-parts";
import { Metadata } from "../../ui/metadata";
import { Modal } from "../../ui/modal";

interface Values {
  chatId: string;
  chatUsername: string;
  chatDisplayName: string;
  email: string;
  phone: string;
  notes: string;
}

export function CustomerPage() {
  const id = useParams<{ id: string }>().id;
  const record = useRecord<Customer>("/api/data/customer", id, "/customers");
  if (record.isNew) return <CustomerForm key="new" customer={null} record={record} />;
  if (!record.current.data)
    return <Unavailable query={record.current} back={{ href: "/customers", label: t("customers.title") }} />;
  const customer = record.current.data.record;
  return <CustomerForm key={customer.updatedAt} customer={customer} record={record} />;
}

function CustomerForm({
  customer,
  record,
}: {
  customer: Customer | null;
  record: ReturnType<typeof useRecord<Customer>>;
}) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [erasing, setErasing] = useState(false);
  const readOnly = !may("data.write");
  const form = useForm<Values>({
    initialValues: {
      chatId: customer?.chatId ?? "",
      chatUsername: customer?.chatUsername ?? "",
      chatDisplayName: customer?.chatDisplayName ?? "",
      email: customer?.email ?? "",
      phone: customer?.phone ?? "",
      notes: customer?.notes ?? "",
    },
  });
  const save = async (values: Values) => {
    const { chatId, notes, ...names } = values;
    const body = { ...names, email: values.email || null, phone: values.phone || null };
    if (record.isNew) return record.create({ ...body, chatId, source: "MANUAL" });
    return record.change({ ...body, notes: notes || null });
  };
  const setActive = async (isActive: boolean) => {
    await (isActive ? api.patch(record.path, { isActive }) : api.delete(record.path));
    await changed(queries, "customer");
  };
  const deactivate = async () => {
    await setActive(false);
    notifyUndo(t("customers.deactivated"), () => setActive(true));
  };
  return (
    <>
      <PageHead
        back={{ href: "/customers", label: t("customers.title") }}
        title={customer?.chatDisplayName ?? t("customers.add")}
        status={customer && <Status value={customer.isActive ? "ACTIVE" : "INACTIVE"} kind="customerState" />}
        actions={
          customer && (
            <>
              <Button variant="default" onClick={() => attempt(() => exportCustomer(customer, may("admin.access")))}>
                {t("customers.export")}
              </Button>
              <GuardedButton allowed={!readOnly} variant="default" onClick={() => setErasing(true)}>
                {t("customers.erase")}
              </GuardedButton>
              {customer.isActive ? (
                <GuardedButton allowed={!readOnly} variant="default" onClick={() => attempt(deactivate)}>
                  {t("customers.deactivate")}
                </GuardedButton>
              ) : (
                <GuardedButton
                  allowed={!readOnly}
                  variant="default"
                  onClick={() => attempt(() => record.change({ isActive: true }))}
                >
                  {t("customers.reactivate")}
                </GuardedButton>
              )}
            </>
          )
        }
      />
      <Grid gutter="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <FormPage form={form} isNew={record.isNew} disabled={readOnly} save={save}>
            <Paper component="fieldset" disabled={readOnly}>
              <Stack>
                <TextInput
                  label={t("customers.chatId")}
                  description={t("customers.chatIdText")}
                  required
                  disabled={!record.isNew}
                  {...form.getInputProps("chatId")}
                />
                <TextInput label={t("customers.name")} required {...form.getInputProps("chatDisplayName")} />
                <TextInput label={t("customers.username")} required {...form.getInputProps("chatUsername")} />
                <TextInput label={t("customer.email")} type="email" {...form.getInputProps("email")} />
                <TextInput label={t("customer.phone")} type="tel" {...form.getInputProps("phone")} />
                {!record.isNew && (
                  <Textarea label={t("order.notes")} autosize minRows={2} {...form.getInputProps("notes")} />
                )}
              </Stack>
            </Paper>
          </FormPage>
        </Grid.Col>
        {customer && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <CustomerOrders customer={customer} />
              <CustomerMemberships customer={customer} />
              <CustomerRoles customer={customer} />
              <Metadata path={record.path} metadata={customer.metadata} allowed={!readOnly} dirty={form.isDirty()} />
              <Addresses customer={customer} path={record.path} readOnly={readOnly} />
              <Paper>
                <Facts
                  facts={[
                    [t("customers.source"), t(`source.${customer.source}`)],
                    [t("customers.since"), <When at={customer.createdAt} />],
                  ]}
                />
              </Paper>
            </Stack>
          </Grid.Col>
        )}
      </Grid>
      {erasing && customer && <EraseDialog customer={customer} close={() => setErasing(false)} />}
      {record.conflict && (
        <ConflictDialog
          conflict={record.conflict}
          labels={{
            chatDisplayName: t("customers.name"),
            chatUsername: t("customers.username"),
            email: t("customer.email"),
            phone: t("customer.phone"),
            notes: t("order.notes"),
          }}
        />
      )}
    </>
  );
}

function Addresses({ customer, path, readOnly }: { customer: Customer; path: string; readOnly: boolean }) {
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: [path] });
  const makeDefault = (addressId: string) => api.patch(`${path}/default-address`, { addressId }).then(refresh);
  const remove = async (address: Customer["addresses"][number]) => {
    const wasDefault = address.addressId === customer.defaultAddressId;
    await api.delete(`${path}/address/${encodeURIComponent(address.addressId)}`);
    await refresh();
    notifyUndo(t("addresses.removed"), async () => {
      await api.post(`${path}/address`, address);
      await (wasDefault ? makeDefault(address.addressId) : refresh());
    });
  };
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={16}>
          {t("addresses.title")}
        </Title>
        <GuardedButton allowed={!readOnly} size="xs" variant="default" onClick={() => setAdding(true)}>
          {t("addresses.add")}
        </GuardedButton>
      </Group>
      <Stack gap="sm">
        {customer.addresses.length === 0 && <Text c="dimmed">{t("addresses.none")}</Text>}
        {customer.addresses.map((address) => (
          <div key={address.addressId}>
            <Text fw={600}>
              {address.name}
              {address.addressId === customer.defaultAddressId && ` · ${t("addresses.default")}`}
            </Text>
            <Text size="sm" className="break-anywhere">
              {[address.line1, address.line2, `${address.postalCode} ${address.city}`, address.state, address.country]
                .filter(Boolean)
                .join(", ")}
            </Text>
            <Group gap="xs">
              {address.addressId !== customer.defaultAddressId && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  disabled={readOnly}
                  onClick={() => attempt(() => makeDefault(address.addressId))}
                >
                  {t("addresses.makeDefault")}
                </Button>
              )}
              <Button
                size="compact-xs"
                variant="subtle"
                color="red"
                disabled={readOnly}
                onClick={() => attempt(() => remove(address))}
              >
                {t("addresses.remove")}
              </Button>
            </Group>
          </div>
        ))}
      </Stack>
      {adding && <AddressDialog path={path} done={refresh} close={() => setAdding(false)} />}
    </Paper>
  );
}

function AddressDialog({ path, done, close }: { path: string; done: () => Promise<unknown>; close: () => void }) {
  const form = useForm({
    initialValues: {
      addressId: "",
      name: "",
      line1: "",
      line2: "",
      city: "",
      state: "",
      postalCode: "",
      country: "",
      phone: "",
    },
  });
  return (
    <Modal onClose={close} title={t("addresses.add")}>
      <FormPage
        form={form}
        isNew
        saveLabel={t("addresses.add")}
        save={async (values) => {
          await api.post(`${path}/address`, { ...values, line2: values.line2 || null, phone: values.phone || null });
          await done();
          close();
        }}
      >
        <TextInput
          label={t("addresses.id")}
          description={t("addresses.idText")}
          required
          data-autofocus
          {...form.getInputProps("addressId")}
        />
        <TextInput label={t("addresses.name")} required autoComplete="name" {...form.getInputProps("name")} />
        <TextInput label={t("addresses.line1")} required {...form.getInputProps("line1")} />
        <TextInput label={t("addresses.line2")} {...form.getInputProps("line2")} />
        <Group grow>
          <TextInput label={t("addresses.postalCode")} required {...form.getInputProps("postalCode")} />
          <TextInput label={t("addresses.city")} required {...form.getInputProps("city")} />
        </Group>
        <Group grow>
          <TextInput label={t("addresses.state")} required {...form.getInputProps("state")} />
          <TextInput label={t("addresses.country")} required {...form.getInputProps("country")} />
        </Group>
        <TextInput label={t("customer.phone")} type="tel" {...form.getInputProps("phone")} />
      </FormPage>
    </Modal>
  );
}
