import { Alert, Grid, Paper, Stack, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useLocation, useParams } from "wouter";
import { api, type WebhookDelivery, type WebhookEndpoint, type WebhookEndpointWithSecret } from "../../api";
import { useVersions } from "../../lib/versions";
import { t } from "../../text";
import { Copyable, Empty, Facts, GuardedButton, PageHead, Status, Unavailable, When } from "../../ui/basics";
import { ConfirmDialog, ConflictDialog } from "../../ui/dialogs";
import { attempt, FormPage, notifySaved, notifyUndo } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { SearchMultiSelect } from "../../ui/search-select";
import { endpointsPath, useEventNames } from "./webhooks";

export function WebhookPage() {
  const id = useParams<{ id: string }>().id;
  const path = `${endpointsPath}/${encodeURIComponent(id)}`;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<"rotate" | "delete" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const found = useQuery({ queryKey: [path], queryFn: () => api.read<WebhookEndpoint>(path) });
  if (!found.data) return <Unavailable query={found} back={{ href: "/webhooks", label: t("webhooks.title") }} />;
  const endpoint = found.data.record;
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [path] }),
      queries.invalidateQueries({ queryKey: [`${path}/deliveries`] }),
    ]);
  const change = async (enabled: boolean) => {
    await api.patch(path, { enabled });
    await refresh();
  };
  const toggle = async () => {
    await change(!endpoint.enabled);
    notifyUndo(t(endpoint.enabled ? "webhooks.switchedOff" : "webhooks.switchedOn"), () => change(endpoint.enabled));
  };
  const test = async () => {
    await api.post(`${path}/test`);
    notifySaved(t("webhooks.testSent"));
    for (const milliseconds of [1500, 5000, 12000]) setTimeout(() => void refresh(), milliseconds); // a receiver may be slow
  };
  return (
    <>
      <PageHead
        back={{ href: "/webhooks", label: t("webhooks.title") }}
        title={endpoint.url}
        status={<Status value={endpoint.enabled ? "ENABLED" : "DISABLED"} kind="methodState" />}
        actions={
          <>
            <GuardedButton allowed variant="default" onClick={() => setOpen("delete")}>
              {t("webhooks.delete")}
            </GuardedButton>
            <GuardedButton allowed variant="default" onClick={() => setOpen("rotate")}>
              {t("webhooks.rotate")}
            </GuardedButton>
            <GuardedButton allowed variant="default" onClick={() => attempt(toggle)}>
              {t(endpoint.enabled ? "webhooks.disable" : "webhooks.enable")}
            </GuardedButton>
            <GuardedButton allowed={endpoint.enabled} reason={t("webhooks.disabled")} onClick={() => attempt(test)}>
              {t("webhooks.test")}
            </GuardedButton>
          </>
        }
      />
      {secret && (
        <Alert color="yellow" mb="md" title={t("webhooks.secretText")}>
          <Copyable text={secret} />
        </Alert>
      )}
      {endpoint.disabledReason && (
        <Alert color="red" mb="md">
          {endpoint.disabledReason}
        </Alert>
      )}
      <Grid gutter="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Title order={2} fz={16} mb="sm">
            {t("webhooks.deliveries")}
          </Title>
          <CursorList<WebhookDelivery>
            label={t("webhooks.deliveries")}
            path={`${path}/deliveries`}
            columns={[
              { title: t("webhooks.event"), cell: (delivery) => delivery.event },
              {
                title: t("webhooks.result"),
                cell: (delivery) => (
                  <Status value={delivery.outcome === "SUCCEEDED" ? "DONE" : "FAILED"} kind="deliveryState" />
                ),
                phone: true,
              },
              {
                title: t("webhooks.answer"),
                cell: (delivery) => delivery.statusCode ?? delivery.error ?? t("none"),
                phone: true,
              },
              { title: t("orders.created"), cell: (delivery) => <When at={delivery.createdAt} />, phone: true },
              {
                title: t("entitlements.action"),
                cell: (delivery) => (
                  <GuardedButton
                    allowed={endpoint.enabled}
                    reason={t("webhooks.disabled")}
                    size="compact-sm"
                    variant="light"
                    onClick={() =>
                      attempt(() =>
                        api
                          .post(`${path}/deliveries/${encodeURIComponent(delivery.id)}/replay`)
                          .then(refresh)
                          .then(() => notifySaved(t("webhooks.replayed"))),
                      )
                    }
                  >
                    {t("webhooks.replay")}
                  </GuardedButton>
                ),
                phone: true,
              },
            ]}
            keyOf={(delivery) => delivery.id}
            empty={<Empty title={t("webhooks.noDeliveries")} text={t("webhooks.noDeliveriesText")} />}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Endpoint key={found.data.etag} endpoint={endpoint} etag={found.data.etag} path={path} saved={refresh} />
            <Paper>
              <Facts
                facts={[
                  [
                    t("webhooks.lastSuccess"),
                    endpoint.lastSuccessAt ? <When at={endpoint.lastSuccessAt} /> : t("never"),
                  ],
                  [
                    t("webhooks.lastFailure"),
                    endpoint.lastFailureAt ? <When at={endpoint.lastFailureAt} /> : t("never"),
                  ],
                  ...(endpoint.failingSince
                    ? [[t("webhooks.failingSince"), <When at={endpoint.failingSince} />] as [string, ReactNode]]
                    : []),
                ]}
              />
            </Paper>
          </Stack>
        </Grid.Col>
      </Grid>
      {open === "rotate" && (
        <ConfirmDialog
          title={t("webhooks.rotate")}
          text={t("webhooks.rotateText")}
          button={t("webhooks.rotate")}
          run={async () =>
            setSecret((await api.post<WebhookEndpointWithSecret>(`${path}/rotate-secret`)).signingSecret ?? null)
          }
          close={() => setOpen(null)}
        />
      )}
      {open === "delete" && (
        <ConfirmDialog
          danger
          typed={new URL(endpoint.url).host}
          title={t("webhooks.delete")}
          text={t("webhooks.deleteText")}
          button={t("webhooks.delete")}
          run={async () => {
            await api.delete(path);
            await queries.invalidateQueries({ queryKey: [endpointsPath] });
            navigate("/webhooks");
          }}
          close={() => setOpen(null)}
        />
      )}
    </>
  );
}

function Endpoint({
  endpoint,
  etag,
  path,
  saved,
}: {
  endpoint: WebhookEndpoint;
  etag: string;
  path: string;
  saved: () => Promise<unknown>;
}) {
  const eventNames = useEventNames();
  const form = useForm({
    initialValues: { url: endpoint.url, description: endpoint.description ?? "", events: endpoint.events },
  });
  const versions = useVersions<WebhookEndpoint>(path, async (changes, version) => {
    await api.patch(path, changes, { ifMatch: version });
    await saved();
    notifySaved();
  });
  return (
    <Paper>
      {versions.conflict && (
        <ConflictDialog
          conflict={versions.conflict}
          labels={{ url: t("webhooks.url"), description: t("webhooks.description"), events: t("webhooks.events") }}
        />
      )}
      <FormPage
        form={form}
        save={({ description, ...values }) =>
          versions.save({ ...values, description: description || null }, etag, { base: endpoint })
        }
      >
        <TextInput label={t("webhooks.url")} type="url" required {...form.getInputProps("url")} />
        <TextInput label={t("webhooks.description")} {...form.getInputProps("description")} />
        <SearchMultiSelect
          label={t("webhooks.events")}
          description={t("webhooks.eventsText")}
          data={[...new Set([...eventNames, ...endpoint.events])]}
          clearable
          {...form.getInputProps("events")}
        />
      </FormPage>
    </Paper>
  );
}
