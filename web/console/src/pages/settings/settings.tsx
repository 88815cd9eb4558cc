import { Alert, Paper, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, ApiError, type Info, type Readiness, type ShopSettings } from "../../api";
import { useAction } from "../../lib/action";
import { useSettings } from "../../lib/settings";
import { useSession } from "../../session";
import { t } from "../../text";
import { ErrorNotice, Facts, PageHead, sentenceOf } from "../../ui/basics";
import { ConnectionTest } from "../../ui/connection-test";
import { ConflictDialog } from "../../ui/dialogs";
import { BrandingCard } from "./branding";
import { ShopSettingsForm, useSettingsChange } from "./shop-settings";

export function SettingsPage() {
  const { session, may } = useSession();
  const settings = useSettings();
  return (
    <>
      <PageHead title={t("settings.title")} />
      <Stack maw={640}>
        <BrandingCard />
        <Text size="sm" c="dimmed">
          {t("settings.id", { id: session.user.tenantId })}
        </Text>
        <ShopSettingsForm />
        {settings.data && <ParcelRule settings={settings.data.record} etag={settings.data.etag} />}
        {settings.data && <SecondFactorRule settings={settings.data.record} etag={settings.data.etag} />}
        {may("PlatformAdmin") && <MailTest />}
        <Server />
      </Stack>
    </>
  );
}

/** Whether parcels move the status of their order. */
function ParcelRule({ settings, etag }: { settings: ShopSettings; etag: string }) {
  const rule = useSettingsChange(etag);
  const change = useAction((parcelsMoveOrders: boolean) => rule.change({ parcelsMoveOrders }));
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("settings.parcels")}
      </Title>
      <Stack gap="sm">
        <Switch
          label={t("settings.parcelsMove")}
          description={t("settings.parcelsMoveText")}
          checked={settings.parcelsMoveOrders}
          disabled={change.busy}
          onChange={(event) => void change.run(event.currentTarget.checked)}
        />
        {change.error && <ErrorNotice error={change.error} />}
        {rule.conflict && (
          <ConflictDialog conflict={rule.conflict} labels={{ parcelsMoveOrders: t("settings.parcelsMove") }} />
        )}
      </Stack>
    </Paper>
  );
}

function SecondFactorRule({ settings, etag }: { settings: ShopSettings; etag: string }) {
  const { may } = useSession();
  const rule = useSettingsChange(etag);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const allowed = may("TenantAdmin");
  const change = async (requireSecondFactor: boolean) => {
    setBusy(true);
    setError(null);
    try {
      await rule.change({ requireSecondFactor });
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("settings.security")}
      </Title>
      <Stack gap="sm">
        <Switch
          label={t("settings.requireFactor")}
          description={t(allowed ? "settings.requireFactorText" : "permission.missing")}
          checked={settings.requireSecondFactor}
          disabled={!allowed || busy}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        {error instanceof ApiError && error.code === "SECOND_FACTOR_MISSING" ? (
          <Alert color="yellow">
            {sentenceOf(error)} <Link href="/account">{t("account.title")}</Link>
          </Alert>
        ) : (
          error && <ErrorNotice error={error} />
        )}
      </Stack>
    </Paper>
  );
}

function MailTest() {
  const [to, setTo] = useState("");
  return (
    <Paper>
      <Title order={2} fz={16} mb={4}>
        {t("settings.mail")}
      </Title>
      <Text c="dimmed" mb="sm">
        {t("settings.mailText")}
      </Text>
      <Stack gap="sm">
        <TextInput
          label={t("settings.mailTo")}
          type="email"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <ConnectionTest
          path="/api/admin/email/test"
          body={{ to }}
          label={t("settings.mailTest")}
          disabled={!to.includes("@")}
        />
      </Stack>
    </Paper>
  );
}

function Server() {
  const { may } = useSession();
  const info = useQuery({ queryKey: ["/info"], queryFn: () => api.get<Info>("/info") });
  const readiness = useQuery({ queryKey: ["/readyz"], queryFn: () => api.get<Readiness>("/readyz") });
  return (
    <Paper>
      <Title order={2} fz={16} mb="sm">
        {t("settings.server")}
      </Title>
      <Stack>
        {(readiness.data?.warnings.length ?? 0) > 0 && (
          <Alert color="yellow" icon={<IconAlertTriangle size={18} />}>
            {t("settings.warnings", { count: readiness.data?.warnings.length ?? 0 })}{" "}
            {may("PlatformAdmin") && <Link href="/platform?tab=health">{t("settings.checks")}</Link>}
          </Alert>
        )}
        <Facts
          facts={[
            [t("settings.version"), info.data?.build.packageVersion ?? "…"],
            [t("settings.database"), readiness.data?.database ?? "…"],
            [t("settings.cache"), readiness.data?.cache ?? "…"],
          ]}
        />
        <a href="/docs">{t("signIn.docs")}</a>
        <a href="/console/licences.txt">{t("settings.licences")}</a>
      </Stack>
    </Paper>
  );
}
