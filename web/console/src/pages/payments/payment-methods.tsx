import {
  Accordion,
  Alert,
  Anchor,
  Group,
  NumberInput,
  PasswordInput,
  Skeleton,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type PaymentMethod, type PaymentMethods } from "../../api";
import { useSession } from "../../session";
import { useVersions } from "../../lib/versions";
import { t, textOr, type TextKey } from "../../text";
import { Copyable, ErrorNotice, PageHead, Status } from "../../ui/basics";
import { ConnectionTest } from "../../ui/connection-test";
import { Value } from "../../ui/difference";
import { ConflictDialog } from "../../ui/dialogs";
import { FormPage, notifySaved } from "../../ui/form";

const path = "/api/admin/payment-methods";

interface MethodFields {
  webhook: string | null;
  settings: string[];
  credentials: string[];
}

/** The fields of each method; the server says whether their values are enough. */
const knownFields: Partial<Record<string, MethodFields>> = {
  WALLET: { webhook: "wallet", settings: ["webhookId"], credentials: ["clientId", "clientSecret"] },
  APPPAY: {
    webhook: "apppay",
    settings: ["locationId", "notificationUrl"],
    credentials: ["accessToken", "webhookSecret"],
  },
  CRYPTO_COMMERCE: { webhook: "crypto-commerce", settings: [], credentials: ["apiKey", "webhookSecret"] },
  BTC_GATEWAY: {
    webhook: "crypto-gateway",
    settings: ["storeId", "expirationMinutes"],
    credentials: ["apiKey", "webhookSecret"],
  },
  BTC_MANUAL: { webhook: null, settings: ["instructions", "showOnInvoice"], credentials: [] },
  P2P: { webhook: null, settings: ["instructions", "showOnInvoice"], credentials: [] },
  CASH: { webhook: null, settings: ["instructions", "showOnInvoice"], credentials: [] },
};

/** A method that is not listed above gets the fields of all processors; its own documentation says which it needs. */
function fieldsOf(method: PaymentMethod): MethodFields {
  const processors = Object.values(knownFields).filter((fields) => fields?.webhook != null);
  const every = (kind: "settings" | "credentials") => [
    ...new Set(processors.flatMap((fields) => fields?.[kind] ?? [])),
  ];
  return (
    knownFields[method.method] ?? { webhook: null, settings: every("settings"), credentials: every("credentials") }
  );
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
  const methods = useQuery({
    queryKey: [path],
    queryFn: () => api.read<PaymentMethods>(path),
    refetchOnWindowFocus: false,
  });
  return (
    <>
      {methods.error && <ErrorNotice error={methods.error} retry={() => void methods.refetch()} />}
      {methods.isPending && (
        <Stack>
          {[0, 1, 2].map((n) => (
            <Skeleton key={n} height={140} maw={640} />
          ))}
        </Stack>
      )}
      {methods.data && (
        <Accordion
          multiple
          variant="contained"
          order={2}
          maw={674}
          defaultValue={methods.data.record.methods.filter((method) => method.enabled).map((method) => method.method)}
        >
          {methods.data.record.methods.map((method) => (
            <MethodItem key={method.method} method={method} etag={methods.data.etag} />
          ))}
        </Accordion>
      )}
    </>
  );
}

/** Closed until somebody wants to see it: seven forms at once are too many. */
function MethodItem({ method, etag }: { method: PaymentMethod; etag: string }) {
  return (
    <Accordion.Item value={method.method}>
      <Accordion.Control>
        <Group justify="space-between" wrap="nowrap" pr="sm">
          <div>
            <Text fw={600}>{textOr(`method.${method.method}`, method.method)}</Text>
            <Text size="sm" c="dimmed">
              {t(method.processor ? `methods.account.${method.accountOwner ?? "NONE"}` : "methods.manual")}
            </Text>
          </div>
          <Status value={method.enabled ? "ENABLED" : "DISABLED"} kind="methodState" />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <MethodForm key={JSON.stringify(method)} method={method} etag={etag} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

type Values = Record<string, string | number | boolean>;

/** The values of a method as its form shows them. Credentials are empty, since the server never shows them. */
function valuesOf(method: PaymentMethod): Values {
  const fields = fieldsOf(method);
  const settings = method.settings as Values;
  return {
    enabled: method.enabled,
    ...Object.fromEntries(
      fields.settings.map((name) => [name, settings[name] ?? (name === "showOnInvoice" ? false : "")]),
    ),
    ...Object.fromEntries(fields.credentials.map((name) => [name, ""])),
  };
}

function MethodForm({ method, etag }: { method: PaymentMethod; etag: string }) {
  const { session } = useSession();
  const queries = useQueryClient();
  const fields = fieldsOf(method);
  const form = useForm<Values>({ initialValues: valuesOf(method) });
  const write = async (changes: Partial<Values>, version: string) => {
    const changed = (names: string[]) =>
      Object.fromEntries(
        names.filter((name) => name in changes).map((name) => [name, changes[name] === "" ? null : changes[name]]),
      );
    const credentials = changed(fields.credentials);
    const patch = {
      method: method.method,
      ...changed(["enabled"]),
      settings: changed(fields.settings),
      ...(Object.keys(credentials).length > 0 && { credentials }),
    };
    await api.put(path, { methods: [patch] }, { ifMatch: version });
    await Promise.all([
      queries.invalidateQueries({ queryKey: [path] }),
      queries.invalidateQueries({ queryKey: ["checklist"] }),
    ]);
    notifySaved();
  };
  const versions = useVersions<Values, PaymentMethods>(path, write, ({ methods }) =>
    valuesOf(methods.find((each) => each.method === method.method) ?? method),
  );
  const isSecret = (name: string) => fields.credentials.includes(name);
  const save = (values: Values) => {
    const changed = Object.entries(values).filter(([name]) => form.isDirty(name));
    // Whether somebody else has changed a credential, too, cannot be seen, so it is asked.
    const unseen = Object.fromEntries(fields.credentials.map((name) => [name, undefined]));
    return versions.save(Object.fromEntries(changed), etag, {
      base: { ...valuesOf(method), ...unseen } as Partial<Values>,
    });
  };
  const labels = Object.fromEntries([
    ["enabled", t("methods.enabled")],
    ...[...fields.settings, ...fields.credentials].map((name) => [name, t(`setting.${name}` as TextKey)]),
  ]);
  return (
    <FormPage form={form} save={save}>
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={labels}
          show={(value, name) =>
            isSecret(name) ? (
              value ? (
                "••••••••"
              ) : (
                t("methods.hiddenSecret")
              )
            ) : (
              <Value subject="payment-method" field={name} value={value} currency={null} />
            )
          }
        />
      )}
      {method.processor && <Receiver method={method} />}
      <Switch label={t("methods.enabled")} {...form.getInputProps("enabled", { type: "checkbox" })} />
      {fields.settings.map((name) =>
        name === "instructions" ? (
          <Textarea key={name} label={t("setting.instructions")} autosize minRows={2} {...form.getInputProps(name)} />
        ) : name === "showOnInvoice" ? (
          <Switch
            key={name}
            label={t("setting.showOnInvoice")}
            description={t("methods.showOnInvoiceText")}
            {...form.getInputProps(name, { type: "checkbox" })}
          />
        ) : name === "expirationMinutes" ? (
          <NumberInput
            key={name}
            label={t("setting.expirationMinutes")}
            min={1}
            allowDecimal={false}
            {...form.getInputProps(name)}
          />
        ) : (
          <TextInput
            key={name}
            label={t(`setting.${name}` as TextKey)}
            autoComplete="off"
            {...form.getInputProps(name)}
          />
        ),
      )}
      {fields.credentials.map((name) => (
        <PasswordInput
          key={name}
          label={t(`setting.${name}` as TextKey)}
          description={t("methods.secretText")}
          autoComplete="new-password"
          {...form.getInputProps(name)}
        />
      ))}
      {fields.webhook && (
        <div>
          <Text size="sm" fw={600}>
            {t("methods.webhook")}
          </Text>
          <Copyable text={`${location.origin}/api/payments/${fields.webhook}/webhook/${session.user.tenantId}`} />
          {method.configured && !method.webhooksVerified && (
            <Text size="sm" c="dimmed" mt={4}>
              {t("methods.unverified")}
            </Text>
          )}
        </div>
      )}
      {method.processor && (
        <div>
          <ConnectionTest path={`${path}/${method.method}/test`} disabled={form.isDirty()} />
          <Text size="sm" c="dimmed" mt={4}>
            {t(form.isDirty() ? "methods.saveFirst" : "methods.testText")}
          </Text>
        </div>
      )}
    </FormPage>
  );
}

/** Whose account gets the money, what is missing, and where the keys are found. */
function Receiver({ method }: { method: PaymentMethod }) {
  const product = method.product ?? method.method;
  const missing = (method.missingValues ?? []).map((name) => textOr(`setting.${name}`, name)).join(", ");
  return (
    <Stack gap="xs">
      {method.notConfiguredReason && (
        <Alert color={method.enabled ? "yellow" : "gray"} title={t("methods.notConfigured")}>
          {t(`methods.reason.${method.notConfiguredReason}`, { product, missing })}
        </Alert>
      )}
      {method.accountOwner && <Text size="sm">{t(`methods.receiver.${method.accountOwner}`, { product })}</Text>}
      {method.keysUrl && (
        <Anchor size="sm" href={method.keysUrl} target="_blank" rel="noreferrer">
          {t("methods.findKeys", { product })}
        </Anchor>
      )}
    </Stack>
  );
}
