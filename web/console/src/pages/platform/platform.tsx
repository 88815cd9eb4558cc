// For those who run the installation: all shops, the state of this node, and billing.
import { Button, Code, Modal, Paper, Stack, Table, Tabs, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Billing, type Info, type Tenant } from "../../api";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { rightName } from "../../lib/roles";
import { t, textOr } from "../../text";
import { Empty, Facts, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { ConfirmDialog } from "../../ui/dialogs";
import { attempt, FormPage, notifySaved } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { Backups, Doctor, Nodes } from "./platform-health";

const tenantsPath = "/api/data/tenant";
const tabs = ["shops", "health", "billing", "configuration"] as const;

export function PlatformPage() {
  const { may } = useSession();
  const [adding, setAdding] = useState(false);
  const { values, change } = useUrlState(["tab"]);
  const tab = tabs.find((each) => each === values.tab) ?? "shops";
  if (!may("PlatformAdmin"))
    return <Empty title={t("platform.title")} text={t("permission.page", { name: rightName("PlatformAdmin") })} />;
  return (
    <>
      <PageHead
        title={t("platform.title")}
        actions={
          tab === "shops" && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
              {t("platform.add")}
            </Button>
          )
        }
      />
      <Tabs
        value={tab}
        onChange={(chosen) => change({ tab: chosen === "shops" ? "" : (chosen ?? "") })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`platform.tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="shops">
          <Tenants />
        </Tabs.Panel>
        <Tabs.Panel value="health">
          <Stack gap="lg">
            <Doctor />
            <Nodes />
            <Backups />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="billing">
          <BillingAccount />
        </Tabs.Panel>
        <Tabs.Panel value="configuration">
          <Configuration />
        </Tabs.Panel>
      </Tabs>
      {adding && <AddDialog close={() => setAdding(false)} />}
    </>
  );
}

function Tenants() {
  const { session, switchTenant } = useSession();
  const queries = useQueryClient();
  const [deleting, setDeleting] = useState<Tenant | null>(null);
  return (
    <>
      <CursorList<Tenant>
        label={t("platform.shops")}
        path={tenantsPath}
        columns={[
          { title: t("settings.name"), cell: (tenant) => tenant.name },
          { title: t("platform.id"), cell: (tenant) => <Code>{tenant.tenantId}</Code>, phone: true },
          { title: t("customers.since"), cell: (tenant) => <When at={tenant.createdAt} /> },
          {
            title: t("platform.open"),
            cell: (tenant) => (
              <GuardedButton
                allowed={tenant.tenantId !== session.user.tenantId}
                reason={t("platform.here")}
                size="compact-sm"
                variant="light"
                onClick={() => attempt(() => switchTenant(tenant.tenantId))}
              >
                {t("platform.open")}
              </GuardedButton>
            ),
            phone: true,
          },
          {
            title: t("platform.delete"),
            cell: (tenant) => (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={t("platform.deleteLabel", { name: tenant.name })}
                onClick={() => setDeleting(tenant)}
              >
                {t("platform.delete")}
              </Button>
            ),
          },
        ]}
        keyOf={(tenant) => tenant.tenantId}
        empty={<Empty title={t("platform.empty")} text={t("platform.emptyText")} />}
      />
      {deleting && (
        <ConfirmDialog
          danger
          typed={deleting.tenantId}
          title={t("platform.delete")}
          text={t("platform.deleteText", { name: deleting.name })}
          button={t("platform.delete")}
          run={async () => {
            await api.delete(`${tenantsPath}/${encodeURIComponent(deleting.tenantId)}`);
            await queries.invalidateQueries({ queryKey: [tenantsPath] });
            notifySaved();
          }}
          close={() => setDeleting(null)}
        />
      )}
    </>
  );
}

function AddDialog({ close }: { close: () => void }) {
  const { session } = useSession();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { tenantId: "", name: "" } });
  return (
    <Modal opened onClose={close} title={t("platform.add")}>
      <FormPage
        form={form}
        isNew
        saveLabel={t("platform.add")}
        save={async (values) => {
          await api.post<Tenant>(tenantsPath, { ...values, ownerUserId: session.user.userId });
          await queries.invalidateQueries({ queryKey: [tenantsPath] });
          await queries.invalidateQueries({ queryKey: ["/auth/tenants"] });
          notifySaved();
          close();
        }}
      >
        <TextInput label={t("settings.name")} required data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label={t("platform.id")}
          description={t("platform.idText")}
          required
          autoCapitalize="none"
          {...form.getInputProps("tenantId")}
        />
        <Text size="sm" c="dimmed">
          {t("platform.owner")}
        </Text>
      </FormPage>
    </Modal>
  );
}

function BillingAccount() {
  const [wanted, setWanted] = useState("");
  const form = useForm({ initialValues: { customerId: "" } });
  const path = "/api/admin/billing";
  const billing = useQuery({
    queryKey: [path, wanted],
    queryFn: () => api.get<Billing>(path, { query: { customerId: wanted } }),
    retry: false,
  });
  const account = billing.data?.account;
  return (
    <Paper maw={640}>
      <Title order={2} fz={16} mb="sm">
        {t("billing.title")}
      </Title>
      <Stack gap="sm">
        <form onSubmit={form.onSubmit(({ customerId }) => setWanted(customerId.trim()))}>
          <TextInput
            label={t("billing.customer")}
            description={t("billing.customerText")}
            rightSectionWidth={72}
            rightSection={
              <Button type="submit" size="compact-sm" variant="subtle">
                {t("billing.show")}
              </Button>
            }
            {...form.getInputProps("customerId")}
          />
        </form>
        {billing.error && <Text c="dimmed">{billing.error.message}</Text>}
        {billing.data && !account && <Text c="dimmed">{t("billing.none")}</Text>}
        {account && (
          <Facts
            facts={[
              [t("orders.status"), <Status value={account.status ?? "INACTIVE"} kind="billingStatus" />],
              [t("billing.subscription"), account.subscriptionId ?? t("none")],
              [t("billing.price"), account.priceId ?? t("none")],
              [t("billing.until"), account.currentPeriodEnd ? <When at={account.currentPeriodEnd} /> : t("none")],
              ...(account.pastDueReason ? [[t("billing.pastDue"), account.pastDueReason] as [string, string]] : []),
            ]}
          />
        )}
        {(billing.data?.invoices.length ?? 0) > 0 && (
          <Table aria-label={t("billing.invoices")}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t("billing.invoice")}</Table.Th>
                <Table.Th scope="col">{t("orders.status")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {billing.data?.invoices.map((invoice) => (
                <Table.Tr key={invoice.invoiceId}>
                  <Table.Td className="break-anywhere">{invoice.invoiceId}</Table.Td>
                  <Table.Td>
                    <Status value={invoice.status} kind="billingInvoice" /> {invoice.failureMessage}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Paper>
  );
}

/** The environment variables of this node, secrets masked by the server. */
function Configuration() {
  const info = useQuery({ queryKey: ["/info"], queryFn: () => api.get<Info>("/info") });
  const [search, setSearch] = useState("");
  const shown = Object.entries(info.data?.env ?? {}).filter(([name]) =>
    name.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>
        {t("platform.configuration")}
      </Title>
      <Text c="dimmed" mb="sm">
        {t("platform.configurationText")}
      </Text>
      <TextInput
        type="search"
        aria-label={t("platform.searchVariable")}
        placeholder={t("platform.searchVariable")}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="sm"
        maw={320}
      />
      <div
        tabIndex={0}
        role="region"
        aria-label={t("platform.configuration")}
        style={{ maxHeight: 360, overflow: "auto" }}
      >
        <Table layout="fixed" aria-label={t("platform.configuration")}>
          <Table.Tbody>
            {shown.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" className="break-anywhere" fw={400}>
                  <Code>{name}</Code>
                </Table.Th>
                <Table.Td className="break-anywhere">
                  {value === "" ? (
                    <Text span c="dimmed">
                      {t("chat.missing")}
                    </Text>
                  ) : (
                    textOr(`configured.${value}`, value)
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}
