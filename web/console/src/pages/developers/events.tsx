// What providers have sent: webhooks of processors, of shipping and billing, and of the chat platform.
import { Select } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api, type WebhookEvent } from "../../api";
import { valuesOf } from "../../enums";
import { useUrlState } from "../../lib/url-state";
import { t, textOr } from "../../text";
import { Empty, GuardedButton, Status, When } from "../../ui/basics";
import { attempt, notifySaved } from "../../ui/form";
import { CursorList, NothingMatches } from "../../ui/list";

const path = "/api/data/webhook-event";
const statuses = valuesOf("WebhookEvent", "status");

export function IncomingEvents() {
  const { values, change } = useUrlState(["eventStatus"]);
  const queries = useQueryClient();
  const again = async (event: WebhookEvent) => {
    await api.patch(`${path}/${encodeURIComponent(event.id)}`, { status: "RECEIVED" });
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved(t("events.queued"));
  };
  return (
    <>
      <Select
        mb="md"
        maw={240}
        label={t("orders.status")}
        placeholder={t("filter.any")}
        clearable
        value={values.eventStatus || null}
        data={statuses.map((value) => ({ value, label: t(`eventStatus.${value}`) }))}
        onChange={(status) => change({ eventStatus: status ?? "" })}
      />
      <CursorList<WebhookEvent>
        label={t("events.title")}
        path={path}
        query={{ status: values.eventStatus }}
        columns={[
          { title: t("events.provider"), cell: (event) => textOr(`provider.${event.provider}`, event.provider) },
          { title: t("events.id"), cell: (event) => event.eventId },
          {
            title: t("orders.status"),
            cell: (event) => <Status value={event.status} kind="eventStatus" />,
            phone: true,
          },
          { title: t("outbox.error"), cell: (event) => event.error ?? "", phone: true },
          { title: t("audit.when"), cell: (event) => <When at={event.receivedAt} />, phone: true },
          {
            title: t("entitlements.action"),
            cell: (event) =>
              event.source === "PROVIDER" &&
              event.status !== "RECEIVED" && (
                <GuardedButton
                  allowed={event.provider !== "CHAT"}
                  reason={t("events.notRepeatable")}
                  size="compact-sm"
                  variant="light"
                  aria-label={t("events.againLabel", { id: event.eventId })}
                  onClick={() => attempt(() => again(event))}
                >
                  {t("events.again")}
                </GuardedButton>
              ),
            phone: true,
          },
        ]}
        keyOf={(event) => event.id}
        empty={
          values.eventStatus ? (
            <NothingMatches clear={() => change({ eventStatus: "" })} />
          ) : (
            <Empty title={t("events.empty")} text={t("events.emptyText")} />
          )
        }
      />
    </>
  );
}
