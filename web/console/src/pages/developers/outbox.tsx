import { SegmentedControl, Tabs } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api, type OutboxMessage } from "../../api";
import { valuesOf } from "../../enums";
import { useUrlState } from "../../lib/url-state";
import { t, textOr } from "../../text";
import { Empty, GuardedButton, PageHead, Status, When } from "../../ui/basics";
import { attempt, notifySaved } from "../../ui/form";
import { CursorList } from "../../ui/list";
import { IncomingEvents } from "./events";

const path = "/api/admin/outbox";

export function OutboxPage() {
  const { values, change } = useUrlState(["tab"]);
  return (
    <>
      <PageHead title={t("events.page")} />
      <Tabs
        value={values.tab || "outgoing"}
        onChange={(tab) => change({ tab: tab === "outgoing" ? "" : (tab ?? "") })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="outgoing">{t("outbox.title")}</Tabs.Tab>
          <Tabs.Tab value="incoming">{t("events.title")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="outgoing">
          <OutgoingMessages />
        </Tabs.Panel>
        <Tabs.Panel value="incoming">
          <IncomingEvents />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function OutgoingMessages() {
  const { values, change } = useUrlState(["status"]);
  const queries = useQueryClient();
  const retry = async (message: OutboxMessage) => {
    await api.post(`${path}/${encodeURIComponent(message.id)}/retry`);
    await queries.invalidateQueries({ queryKey: [path] });
    notifySaved(t("outbox.retried"));
  };
  return (
    <>
      <SegmentedControl
        mb="md"
        aria-label={t("orders.status")}
        value={values.status}
        data={[
          { value: "", label: t("filter.any") },
          ...valuesOf("StoredMessage", "status").map((status) => ({
            value: status,
            label: t(`messageStatus.${status}`),
          })),
        ]}
        onChange={(status) => change({ status })}
      />
      <CursorList<OutboxMessage>
        label={t("outbox.title")}
        path={path}
        query={{ status: values.status }}
        columns={[
          {
            title: t("outbox.topic"),
            cell: (message) => textOr(`topic.${message.topic.split(":", 1)[0]}`, message.topic),
          },
          {
            title: t("orders.status"),
            cell: (message) => <Status value={message.status} kind="messageStatus" />,
            phone: true,
          },
          { title: t("outbox.attempts"), cell: (message) => message.attempts, numeric: true },
          { title: t("outbox.error"), cell: (message) => message.lastError ?? "", phone: true },
          { title: t("orders.created"), cell: (message) => <When at={message.createdAt} />, phone: true },
          {
            title: t("entitlements.action"),
            cell: (message) =>
              message.status !== "DONE" && (
                <GuardedButton allowed size="compact-sm" variant="light" onClick={() => attempt(() => retry(message))}>
                  {t("action.tryAgain")}
                </GuardedButton>
              ),
            phone: true,
          },
        ]}
        keyOf={(message) => message.id}
        empty={<Empty title={t("outbox.empty")} text={t("outbox.emptyText")} />}
      />
    </>
  );
}
