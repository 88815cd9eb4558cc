import { Alert, NumberInput, Paper, Skeleton, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, ApiError, type Readiness, type ShopSettings, type Tenant } from "../api";
import { useSession } from "../session";
import { t } from "../text";
import { ErrorNotice, Facts, PageHead } from "../ui/basics";
import { ConnectionTest } from "../ui/connection-test";
import { FormPage, notifySaved } from "../ui/form";
import { BrandingCard } from "./branding";

interface Info {
  build: { packageVersion: string; startTime: number };
}

export function SettingsPage() {
  const { session, may } = useSession();
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
        <BrandingCard />
        {tenant.data && <ShopName key={tenant.data.etag} tenant={tenant.data.record} etag={tenant.data.etag} path={tenantPath} />}
        {settings.data && <OrderExpiry key={settings.data.orderExpiryMinutes} settings={settings.data} />}
        {settings.data && <SecondFactorRule settings={settings.data} />}
        {may("PlatformAdmin") && <MailTest />}
        <Server />
      </Stack>
    </>
  );
}

/** The name that colleagues see in the list of shops; buyers see that of the branding. */
function ShopName({ tenant, etag, path }: { tenant: Tenant; etag: string; path: string }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: tenant.name } });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("settings.shop")}</Title>
      <FormPage form={form} save={async (values) => { await api.patch(path, values, { ifMatch: etag }); await queries.invalidateQueries(); notifySaved(); }}>
        <TextInput label={t("settings.internalName")} description={t("settings.internalNameText")} required {...form.getInputProps("name")} />
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

function SecondFactorRule({ settings }: { settings: ShopSettings }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const allowed = may("TenantAdmin");
  const change = async (requireSecondFactor: boolean) => {
    setBusy(true);
    setError(null);
    try {
      await api.put("/api/admin/settings", { requireSecondFactor });
      await queries.invalidateQueries({ queryKey: ["/api/admin/settings"] });
      notifySaved();
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">{t("settings.security")}</Title>
      <Stack gap="sm">
        <Switch label={t("settings.requireFactor")} description={t(allowed ? "settings.requireFactorText" : "permission.missing")} checked={settings.requireSecondFactor} disabled={!allowed || busy} onChange={(event) => void change(event.currentTarget.checked)} />
        {error instanceof ApiError && error.code === "SECOND_FACTOR_MISSING" ? <Alert color="yellow">{error.message} <Link href="/account">{t("account.title")}</Link></Alert> : error && <ErrorNotice error={error} />}
      </Stack>
    </Paper>
  );
}

function MailTest() {
  const [to, setTo] = useState("");
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>{t("settings.mail")}</Title>
      <Text c="dimmed" mb="sm">{t("settings.mailText")}</Text>
      <Stack gap="sm">
        <TextInput label={t("settings.mailTo")} type="email" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
        <ConnectionTest path="/api/admin/email/test" body={{ to }} label={t("settings.mailTest")} disabled={!to.includes("@")} />
      </Stack>
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
