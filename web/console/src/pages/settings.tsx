import { Alert, NumberInput, Paper, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Readiness, type Tenant } from "../api";
import { useSession } from "../session";
import { t } from "../text";
import { ErrorNotice, Facts, PageHead } from "../ui/basics";
import { FormPage, notifySaved } from "../ui/form";

interface ShopSettings {
  orderExpiryMinutes: number | null;
  effectiveOrderExpiryMinutes: number;
}

interface Info {
  build: { packageVersion: string; startTime: number };
}

export function SettingsPage() {
  const { session } = useSession();
  const tenantPath = `/api/data/tenant/${encodeURIComponent(session.user.tenantId)}`;
  const tenant = useQuery({ queryKey: [tenantPath], queryFn: () => api.read<Tenant>(tenantPath), refetchOnWindowFocus: false });
  const settings = useQuery({ queryKey: ["/api/admin/settings"], queryFn: () => api.get<ShopSettings>("/api/admin/settings"), refetchOnWindowFocus: false });
  const error = tenant.error ?? settings.error;
  return (
    <>
      <PageHead title={t("settings.title")} />
      {error && <ErrorNotice error={error} retry={() => void Promise.all([tenant.refetch(), settings.refetch()])} />}
      {!error && (!tenant.data || !settings.data) && <Skeleton height={240} maw={640} />}
      <Stack maw={640}>
        {tenant.data && <ShopName key={tenant.data.etag} tenant={tenant.data.record} etag={tenant.data.etag} path={tenantPath} />}
        {settings.data && <OrderExpiry key={settings.data.orderExpiryMinutes} settings={settings.data} />}
        <Server />
      </Stack>
    </>
  );
}

function ShopName({ tenant, etag, path }: { tenant: Tenant; etag: string; path: string }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: tenant.name } });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("settings.shop")}</Title>
      <FormPage form={form} save={async (values) => { await api.patch(path, values, { ifMatch: etag }); await queries.invalidateQueries(); notifySaved(); }}>
        <TextInput label={t("settings.name")} description={t("settings.nameText")} required {...form.getInputProps("name")} />
        <Text size="sm" c="dimmed">{t("settings.id", { id: tenant.tenantId })}</Text>
      </FormPage>
    </Paper>
  );
}

function OrderExpiry({ settings }: { settings: ShopSettings }) {
  const queries = useQueryClient();
  const form = useForm<{ orderExpiryMinutes: number | string }>({ initialValues: { orderExpiryMinutes: settings.orderExpiryMinutes ?? "" } });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("settings.expiry")}</Title>
      <FormPage form={form} save={async ({ orderExpiryMinutes }) => { await api.put("/api/admin/settings", { orderExpiryMinutes: orderExpiryMinutes === "" ? null : Number(orderExpiryMinutes) }); await queries.invalidateQueries({ queryKey: ["/api/admin/settings"] }); notifySaved(); }}>
        <NumberInput label={t("settings.minutes")} description={t("settings.minutesText", { minutes: settings.effectiveOrderExpiryMinutes })} min={0} allowDecimal={false} {...form.getInputProps("orderExpiryMinutes")} />
      </FormPage>
    </Paper>
  );
}

function Server() {
  const info = useQuery({ queryKey: ["/info"], queryFn: () => api.get<Info>("/info") });
  const readiness = useQuery({ queryKey: ["/readyz"], queryFn: () => api.get<Readiness>("/readyz") });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("settings.server")}</Title>
      <Stack>
        {readiness.data?.warnings.map((warning) => <Alert key={warning} color="yellow" icon={<IconAlertTriangle size={18} />}>{warning}</Alert>)}
        <Facts facts={[[t("settings.version"), info.data?.build.packageVersion ?? "…"], [t("settings.database"), readiness.data?.database ?? "…"], [t("settings.cache"), readiness.data?.cache ?? "…"]]} />
        <a href="/docs">{t("signIn.docs")}</a>
        <a href="/console/licences.txt">{t("settings.licences")}</a>
      </Stack>
    </Paper>
  );
}
