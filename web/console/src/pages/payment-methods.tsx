import { Alert, Group, NumberInput, Paper, PasswordInput, Skeleton, Stack, Switch, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type PaymentMethod } from "../api";
import { useSession } from "../session";
import { t, textOr, type TextKey } from "../text";
import { Copyable, ErrorNotice, PageHead, Status } from "../ui/basics";
import { ConnectionTest } from "../ui/connection-test";
import { FormPage, notifySaved } from "../ui/form";

const path = "/api/admin/payment-methods";

interface MethodFields {
  webhook: string | null;
  settings: string[];
  credentials: string[];
}

/** The fields of each method; the server says whether their values are enough. */
const knownFields: Partial<Record<string, MethodFields>> = {
  WALLET: { webhook: "wallet", settings: ["webhookId"], credentials: ["clientId", "clientSecret"] },
  APPPAY: { webhook: "apppay", settings: ["locationId", "notificationUrl"], credentials: ["accessToken", "webhookSecret"] },
  CRYPTO_COMMERCE: { webhook: "crypto-commerce", settings: [], credentials: ["apiKey", "webhookSecret"] },
  BTC_GATEWAY: { webhook: "crypto-gateway", settings: ["storeId", "expirationMinutes"], credentials: ["apiKey", "webhookSecret"] },
  BTC_MANUAL: { webhook: null, settings: ["instructions"], credentials: [] },
  P2P: { webhook: null, settings: ["instructions"], credentials: [] },
  CASH: { webhook: null, settings: ["instructions"], credentials: [] },
};

/** A method that is not listed above gets the fields of all processors; its own documentation says which it needs. */
function fieldsOf(method: PaymentMethod): MethodFields {
  const processors = Object.values(knownFields).filter((fields) => fields?.webhook != null);
  const every = (kind: "settings" | "credentials") => [...new Set(processors.flatMap((fields) => fields?.[kind] ?? []))];
  return knownFields[method.method] ?? { webhook: null, settings: every("settings"), credentials: every("credentials") };
}

export function PaymentMethodsPage() {
  return (
    <>
      <PageHead title={t("methods.title")} />
      <PaymentMethods />
    </>
  );
}

/** All methods, each with its form. Also a step of the first run. */
export function PaymentMethods() {
  const methods = useQuery({ queryKey: [path], queryFn: () => api.get<{ methods: PaymentMethod[] }>(path), refetchOnWindowFocus: false });
  return (
    <>
      {methods.error && <ErrorNotice error={methods.error} retry={() => void methods.refetch()} />}
      {methods.isPending && <Stack>{[0, 1, 2].map((n) => <Skeleton key={n} height={140} maw={640} />)}</Stack>}
      <Stack maw={640}>
        {methods.data?.methods.map((method) => <MethodForm key={method.method + JSON.stringify(method)} method={method} />)}
      </Stack>
    </>
  );
}

function MethodForm({ method }: { method: PaymentMethod }) {
  const { session } = useSession();
  const queries = useQueryClient();
  const fields = fieldsOf(method);
  const settings = method.settings as Record<string, unknown>;
  const form = useForm<Record<string, string | number | boolean>>({
    initialValues: {
      enabled: method.enabled,
      ...Object.fromEntries(fields.settings.map((name) => [name, (settings[name] as string | number | undefined) ?? ""])),
      ...Object.fromEntries(fields.credentials.map((name) => [name, ""])),
    },
  });
  const save = async (values: Record<string, string | number | boolean>) => {
    const changed = (names: string[]) =>
      Object.fromEntries(names.filter((name) => form.isDirty(name)).map((name) => [name, values[name] === "" ? null : values[name]]));
    await api.put(path, {
      methods: [{ method: method.method, enabled: values["enabled"], settings: changed(fields.settings), ...(fields.credentials.length > 0 ? { credentials: changed(fields.credentials) } : {}) }],
    });
    await Promise.all([queries.invalidateQueries({ queryKey: [path] }), queries.invalidateQueries({ queryKey: ["checklist"] })]);
    notifySaved();
  };
  return (
    <Paper>
      <Group justify="space-between" mb="xs">
        <Title order={2} fz={16}>{textOr(`method.${method.method}`, method.method)}</Title>
        <Status value={method.enabled ? "ENABLED" : "DISABLED"} kind="methodState" />
      </Group>
      <Text c="dimmed" mb="sm">{t(method.processor ? "methods.processor" : "methods.manual")}</Text>
      <FormPage form={form} save={save}>
        {method.enabled && method.processor && !method.configured && <Alert color="yellow">{t("methods.notConfigured")}</Alert>}
        <Switch label={t("methods.enabled")} {...form.getInputProps("enabled", { type: "checkbox" })} />
        {fields.settings.map((name) =>
          name === "instructions" ? (
            <Textarea key={name} label={t("setting.instructions")} autosize minRows={2} {...form.getInputProps(name)} />
          ) : name === "expirationMinutes" ? (
            <NumberInput key={name} label={t("setting.expirationMinutes")} min={1} allowDecimal={false} {...form.getInputProps(name)} />
          ) : (
            <TextInput key={name} label={t(`setting.${name}` as TextKey)} autoComplete="off" {...form.getInputProps(name)} />
          ),
        )}
        {fields.credentials.map((name) => (
          <PasswordInput key={name} label={t(`setting.${name}` as TextKey)} description={t("methods.secretText")} autoComplete="new-password" {...form.getInputProps(name)} />
        ))}
        {fields.webhook && (
          <div>
            <Text size="sm" fw={600}>{t("methods.webhook")}</Text>
            <Copyable text={`${location.origin}/api/payments/${fields.webhook}/webhook/${session.user.tenantId}`} />
            {method.configured && !method.webhooksVerified && <Text size="sm" c="dimmed" mt={4}>{t("methods.unverified")}</Text>}
          </div>
        )}
        {method.processor && (
          <div>
            <ConnectionTest path={`${path}/${method.method}/test`} disabled={form.isDirty()} />
            <Text size="sm" c="dimmed" mt={4}>{t(form.isDirty() ? "methods.saveFirst" : "methods.testText")}</Text>
          </div>
        )}
      </FormPage>
    </Paper>
  );
}
