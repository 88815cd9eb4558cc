import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, type EventNames, type WebhookEndpoint, type WebhookEndpointWithSecret } from "../../api";
import { useDraft } from "../../lib/drafts";
import { useUrlState } from "../../lib/url-state";
import { t } from "../../text";
import { Copyable, Empty, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { FormPage } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { Modal } from "../../ui/modal";
import { SearchMultiSelect } from "../../ui/search-select";

export const endpointsPath = "/api/admin/webhook-endpoints";

/** The names of all events, as the server knows them. */
/** The patterns of all events of a kind, such as `order.*`, and then the events. */
export function useEventNames(): string[] {
  const path = "/api/admin/webhook-event-names";
  const names =
    useQuery({ queryKey: [path], queryFn: () => api.get<EventNames>(path), staleTime: Infinity }).data?.events ?? [];
  return [...new Set(names.map((name) => `${name.split(".")[0]}.*`)), ...names];
}

/** The server has switched it off, because deliveries have failed for long. */
export const isFailed = (endpoint: WebhookEndpoint) => !endpoint.enabled && Boolean(endpoint.disabledReason);

export function WebhooksPage() {
  const [adding, setAdding] = useState(false);
  const { values, change } = useUrlState(["state"]);
  const failed = values.state === "failed";
  const add = (
    <GuardedButton allowed leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t("webhooks.add")}
    </GuardedButton>
  );
  return (
    <>
      <PageHead title={t("webhooks.title")} primary={add} />
      <SegmentedControl
        mb="md"
        aria-label={t("webhooks.view")}
        value={failed ? "failed" : "all"}
        data={[
          { value: "all", label: t("payments.all") },
          { value: "failed", label: t("webhooks.failed") },
        ]}
        onChange={(state) => change({ state: state === "failed" ? state : "" })}
      />
      <CursorList<WebhookEndpoint>
        label={t("webhooks.title")}
        path={endpointsPath}
        {...(failed && { only: isFailed })}
        columns={[
          { title: t("webhooks.url"), cell: (endpoint) => endpoint.url },
          {
            title: t("webhooks.events"),
            cell: (endpoint) => (endpoint.events.length === 0 ? t("webhooks.allEvents") : endpoint.events.join(", ")),
          },
          {
            title: t("orders.status"),
            cell: (endpoint) => <Status value={endpoint.enabled ? "ENABLED" : "DISABLED"} kind="methodState" />,
            phone: true,
          },
          {
            title: t("webhooks.lastSuccess"),
            cell: (endpoint) => (endpoint.lastSuccessAt ? <When at={endpoint.lastSuccessAt} /> : t("never")),
            phone: true,
          },
        ]}
        keyOf={(endpoint) => endpoint.id}
        hrefOf={(endpoint) => `/webhooks/${endpoint.id}`}
        empty={
          failed ? (
            <Empty title={t("webhooks.noneFailed")} text={t("webhooks.noneFailedText")} />
          ) : (
            <Empty title={t("webhooks.empty")} text={t("webhooks.emptyText")} action={add} />
          )
        }
      />
      {adding && <AddDialog close={() => setAdding(false)} />}
    </>
  );
}

function AddDialog({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [made, setMade] = useState<WebhookEndpointWithSecret | null>(null);
  const [, navigate] = useLocation();
  useDraft(made !== null);
  const eventNames = useEventNames();
  const form = useForm({ initialValues: { url: "https://", description: "", events: [] as string[] } });
  return (
    <Modal
      onClose={close}
      title={t("webhooks.add")}
      withCloseButton={!made}
      closeOnEscape={!made}
      closeOnClickOutside={!made}
    >
      {made ? (
        <Stack>
          <Alert color="yellow">{t("webhooks.secretText")}</Alert>
          <Copyable text={made.signingSecret ?? ""} />
          <Group justify="flex-end">
            <Button onClick={() => navigate(`/webhooks/${made.id}`)}>{t("oneTimeLink.close")}</Button>
          </Group>
        </Stack>
      ) : (
        <FormPage
          form={form}
          isNew
          saveLabel={t("webhooks.add")}
          save={async (values) => {
            const endpoint = await api.post<WebhookEndpointWithSecret>(endpointsPath, {
              ...values,
              description: values.description || null,
            });
            await queries.invalidateQueries({ queryKey: [endpointsPath] });
            setMade(endpoint);
          }}
        >
          <TextInput label={t("webhooks.url")} type="url" required data-autofocus {...form.getInputProps("url")} />
          <TextInput label={t("webhooks.description")} {...form.getInputProps("description")} />
          <SearchMultiSelect
            label={t("webhooks.events")}
            description={t("webhooks.eventsText")}
            data={eventNames}
            clearable
            {...form.getInputProps("events")}
          />
          <Text size="sm" c="dimmed">
            {t("webhooks.signed")}
          </Text>
        </FormPage>
      )}
    </Modal>
  );
}
