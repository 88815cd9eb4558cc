// The messages that buyers were sent, and those that were not, with the reason.
import { Text } from "@mantine/core";
import type { LoggedMessage } from "../../api";
import { valuesOf } from "../../enums";
import { useUrlState } from "../../lib/url-state";
import { t } from "../../text";
import { Empty, Status, When } from "../../ui/basics";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { RecordLink, RecordName } from "../../ui/record-name";

const kinds = valuesOf("LoggedMessage", "kind");
const filters: Filter[] = [
  { key: "kind", label: t("messages.what"), kind: "choices", quick: true, data: choicesOf("messages.kind", kinds) },
  {
    key: "status",
    label: t("orders.status"),
    kind: "choices",
    quick: true,
    data: choicesOf("sentStatus", valuesOf("LoggedMessage", "status")),
  },
  { key: "customerId", label: t("orders.customer"), kind: "record", of: "customer" },
  { key: "createdFrom", label: t("filter.from"), kind: "from" },
  { key: "createdTo", label: t("filter.to"), kind: "to" },
];
const keys = filters.map((filter) => filter.key);

export function MessageLog() {
  const { values, change, filtered } = useUrlState(keys);
  return (
    <>
      <FilterBar filters={filters} values={values} change={change} />
      <PagedList<LoggedMessage>
        label={t("messages.log")}
        path="/api/admin/messages/log"
        query={queryOf(filters, values)}
        columns={[
          { title: t("messages.what"), cell: (message) => t(`messages.kind.${message.kind}`) },
          { title: t("messages.to"), cell: (message) => <Receiver message={message} />, phone: true },
          { title: t("messages.medium"), cell: (message) => t(`medium.${message.medium}`) },
          {
            title: t("orders.status"),
            cell: (message) => (
              <>
                <Status value={message.status} kind="sentStatus" />
                {message.reason && (
                  <Text size="xs" c="dimmed">
                    {message.reason}
                  </Text>
                )}
              </>
            ),
            phone: true,
          },
          { title: t("payments.order"), cell: (message) => <RecordLink kind="order" id={message.orderId} /> },
          { title: t("audit.when"), cell: (message) => <When at={message.createdAt} />, phone: true },
        ]}
        keyOf={(message) => message.id}
        versionOf={(message) => message.status}
        empty={
          filtered ? (
            <NothingMatches clear={() => change(Object.fromEntries(keys.map((key) => [key, ""])))} />
          ) : (
            <Empty title={t("messages.logEmpty")} text={t("messages.logEmptyText")} />
          )
        }
      />
    </>
  );
}

function Receiver({ message: { customerId, chatUserId } }: { message: LoggedMessage }) {
  if (customerId) return <RecordLink kind="customer" id={customerId} />;
  return chatUserId ? (
    <RecordName kind="member" id={chatUserId} otherwise={chatUserId} />
  ) : (
    t("messages.unknownReceiver")
  );
}
