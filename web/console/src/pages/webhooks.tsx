import { Alert, Modal, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type WebhookEndpoint, type WebhookEndpointWithSecret } from "../api";
import { t } from "../text";
import { Copyable, Empty, GuardedButton, PageHead, Status, When } from "../ui/basics";
import { FormPage } from "../ui/form";
import { CursorList } from "../ui/list";

export const endpointsPath = "/api/admin/webhook-endpoints";
export const eventNames = ["order.created", "order.paid", "order.shipped", "order.cancelled", "order.refunded", "shipment.shipped", "shipment.delivered", "shipment.exception"];

export function WebhooksPage() {
  const [adding, setAdding] = useState(false);
  const add = <GuardedButton allowed leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>{t("webhooks.add")}</GuardedButton>;
  return (
    <>
      <PageHead title={t("webhooks.title")} actions={add} />
      <CursorList<WebhookEndpoint>
        label={t("webhooks.title")}
        path={endpointsPath}
        columns={[
          { title: t("webhooks.url"), cell: (endpoint) => endpoint.url },
          { title: t("webhooks.events"), cell: (endpoint) => (endpoint.events.length === 0 ? t("webhooks.allEvents") : endpoint.events.join(", ")) },
          { title: t("orders.status"), cell: (endpoint) => <Status value={endpoint.enabled ? "ENABLED" : "DISABLED"} kind="methodState" />, phone: true },
          { title: t("webhooks.lastSuccess"), cell: (endpoint) => (endpoint.lastSuccessAt ? <When at={endpoint.lastSuccessAt} /> : t("never")), phone: true },
        ]}
        keyOf={(endpoint) => endpoint.id}
        hrefOf={(endpoint) => `/webhooks/${endpoint.id}`}
        empty={<Empty title={t("webhooks.empty")} text={t("webhooks.emptyText")} action={add} />}
      />
      {adding && <AddDialog close={() => setAdding(false)} />}
    </>
  );
}

function AddDialog({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const [made, setMade] = useState<WebhookEndpointWithSecret | null>(null);
  const form = useForm({ initialValues: { url: "https://", description: "", events: [] as string[] } });
  return (
    <Modal opened onClose={close} title={t("webhooks.add")}>
      {made ? (
        <Stack>
          <Alert color="yellow">{t("webhooks.secretText")}</Alert>
          <Copyable text={made.signingSecret ?? ""} />
        </Stack>
      ) : (
        <FormPage
          form={form}
          isNew
          saveLabel={t("webhooks.add")}
          save={async (values) => {
            const endpoint = await api.post<WebhookEndpointWithSecret>(endpointsPath, { ...values, description: values.description || null });
            await queries.invalidateQueries({ queryKey: [endpointsPath] });
            setMade(endpoint);
          }}
        >
          <TextInput label={t("webhooks.url")} type="url" required data-autofocus {...form.getInputProps("url")} />
          <TextInput label={t("webhooks.description")} {...form.getInputProps("description")} />
          <TagsInput label={t("webhooks.events")} description={t("webhooks.eventsText")} data={eventNames} {...form.getInputProps("events")} />
          <Text size="sm" c="dimmed">{t("webhooks.signed")}</Text>
        </FormPage>
      )}
    </Modal>
  );
}
