import { Badge, Group, Paper, SegmentedControl, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, type Payment } from "../../api";
import { valuesOf } from "../../enums";
import { money } from "../../lib/format";
import { changed } from "../../lib/refresh";
import { shopCurrency } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { t, type TextKey } from "../../text";
import { Empty, ErrorNotice, Facts, GuardedButton, Money, PageHead, Status, When } from "../../ui/basics";
import { ConfirmDialog, WrongField } from "../../ui/dialogs";
import { choicesOf, FilterBar, queryOf, type Filter } from "../../ui/filters";
import { notifySaved } from "../../ui/form";
import { NothingMatches, useCursorList } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { StatusMark } from "../../ui/marks";
import { RecordLink, RecordName } from "../../ui/record-name";
import { restOf, ReturnRest } from "../../ui/return-rest";

const path = "/api/admin/payments";
const filters: Filter[] = [
  {
    key: "status",
    label: t("payments.status"),
    kind: "choices",
    quick: true,
    data: choicesOf("paymentStatus", valuesOf("PaymentView", "status")),
  },
  {
    key: "provider",
    label: t("payments.through"),
    kind: "choices",
    quick: true,
    data: choicesOf("provider", valuesOf("PaymentView", "provider")),
  },
  { key: "createdFrom", label: t("filter.from"), kind: "from" },
  { key: "createdTo", label: t("filter.to"), kind: "to" },
  { key: "amountMin", label: t("payments.amountMin"), kind: "money" },
  { key: "amountMax", label: t("payments.amountMax"), kind: "money" },
];
const keys = ["attention", "search", "sort", ...filters.map((filter) => filter.key)];
/** A payment without an order needs attention. */
const pageOf = (payment: Payment) => (payment.orderId ? `/orders/${payment.orderId}` : "/payments?attention=true");
const currencyOf = (payment: Payment) => payment.currency || payment.expectedCurrency || shopCurrency();

export function PaymentsPage() {
  const { values, change, clear } = useUrlState(keys);
  const attention = values["attention"] === "true";
  const filtered = keys.some((key) => key !== "attention" && values[key] !== "");
  return (
    <>
      <PageHead title={t("payments.title")} />
      <SegmentedControl
        mb="md"
        aria-label={t("payments.view")}
        value={attention ? "attention" : "all"}
        data={[
          { value: "all", label: t("payments.all") },
          { value: "attention", label: t("payments.attention") },
        ]}
        onChange={(view) => change({ attention: view === "attention" ? "true" : "" })}
      />
      {attention ? (
        <AttentionQueue />
      ) : (
        <>
          <FilterBar filters={filters} values={values} change={change} search={t("payments.search")} />
          <PagedList<Payment>
            label={t("payments.title")}
            path={path}
            query={queryOf(filters, values)}
            columns={[
              {
                title: t("payments.order"),
                cell: (payment) =>
                  payment.orderId ? <RecordName kind="order" id={payment.orderId} /> : t("payments.noOrder"),
              },
              {
                title: t("payments.through"),
                cell: (payment) => <span className="one-line">{t(`provider.${payment.provider}` as TextKey)}</span>,
                phone: true,
              },
              { title: t("payments.status"), cell: (payment) => <PaymentState payment={payment} />, phone: true },
              {
                title: t("payments.id"),
                cell: (payment) => (
                  <Text span size="sm" c="dimmed">
                    {payment.providerPaymentId}
                  </Text>
                ),
              },
              { title: t("orders.created"), cell: (payment) => <When at={payment.createdAt} />, phone: true },
              {
                title: t("order.amount"),
                cell: (payment) => <Money cents={payment.amountCents} currency={currencyOf(payment)} />,
                numeric: true,
                phone: true,
              },
            ]}
            keyOf={(payment) => payment.id}
            hrefOf={pageOf}
            versionOf={(payment) => payment.updatedAt}
            empty={
              filtered ? (
                <NothingMatches clear={clear} />
              ) : (
                <Empty
                  title={t("payments.empty")}
                  text={t("payments.emptyText")}
                  action={
                    <GuardedButton allowed variant="default" href="/payment-methods">
                      {t("step.payments")}
                    </GuardedButton>
                  }
                />
              )
            }
          />
        </>
      )}
    </>
  );
}

/** A payment that does not fit its order shows why, instead of a reassuring "Paid". */
function PaymentState({ payment }: { payment: Payment }) {
  if (!payment.attention) return <Status value={payment.status} kind="paymentStatus" />;
  return (
    <Link href="/payments?attention=true" className="plain-link">
      <StatusMark tone="bad">{t(`flag.${payment.attention}` as TextKey)}</StatusMark>
    </Link>
  );
}

/** Payments that do not fit their order, one after the other, each with its reason and what to do about it. */
function AttentionQueue() {
  const [resolving, setResolving] = useState<Payment | null>(null);
  const pages = useCursorList<Payment>(path, { attention: true });
  const flagged = pages.data?.pages.flatMap((page) => page.items);
  if (pages.error) return <ErrorNotice error={pages.error} retry={() => void pages.refetch()} />;
  if (!flagged) return null;
  if (flagged.length === 0)
    return (
      <Paper>
        <Empty title={t("payments.noFlags")} text={t("payments.noFlagsText")} />
      </Paper>
    );
  return (
    <Stack role="list" aria-label={t("payments.attention")}>
      {flagged.map((payment) => (
        <Paper key={payment.id} role="listitem">
          <Group justify="space-between" align="flex-start" mb="xs">
            <Group gap="xs">
              <Badge color="red" variant="light" tt="none" size="lg">
                {t(`flag.${payment.attention}` as TextKey)}
              </Badge>
              <Title order={2} fz={16} className="numeric">
                {money(payment.amountCents, currencyOf(payment))}
              </Title>
            </Group>
            <Text size="sm" c="dimmed">
              <When at={payment.updatedAt} />
            </Text>
          </Group>
          <Text mb="sm">{t(`flagText.${payment.attention}` as TextKey)}</Text>
          <Facts
            facts={[
              [
                t("payments.expected"),
                payment.expectedCurrency ? money(payment.expectedCents, payment.expectedCurrency) : t("none"),
              ],
              [t("payments.received"), money(payment.amountCents, currencyOf(payment))],
              ...(payment.refundedCents > 0
                ? [[t("payments.returned"), money(payment.refundedCents, currencyOf(payment))] as [string, string]]
                : []),
              [
                t("payments.order"),
                payment.orderId ? <RecordLink kind="order" id={payment.orderId} /> : t("payments.noOrder"),
              ],
              [t("payments.through"), t(`provider.${payment.provider}` as TextKey)],
              [t("payments.id"), payment.providerPaymentId ?? payment.id],
            ]}
          />
          {restOf(payment) > 0 && (
            <div style={{ marginTop: 12 }}>
              <ReturnRest payment={payment} />
            </div>
          )}
          <Group mt="sm" gap="xs">
            {payment.orderId && (
              <GuardedButton allowed variant="default" size="xs" href={`/orders/${payment.orderId}`}>
                {t("payments.toOrder")}
              </GuardedButton>
            )}
            <GuardedButton
              allowed
              size="xs"
              variant={restOf(payment) > 0 ? "default" : "filled"}
              onClick={() => setResolving(payment)}
            >
              {t("payments.resolve")}
            </GuardedButton>
          </Group>
        </Paper>
      ))}
      {pages.hasNextPage && (
        <GuardedButton allowed variant="default" onClick={() => void pages.fetchNextPage()}>
          {t("list.more")}
        </GuardedButton>
      )}
      {resolving && <ResolveDialog payment={resolving} close={() => setResolving(null)} />}
    </Stack>
  );
}

function ResolveDialog({ payment, close }: { payment: Payment; close: () => void }) {
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  return (
    <ConfirmDialog
      title={t(`flag.${payment.attention}` as TextKey)}
      text={t(`flagText.${payment.attention}` as TextKey)}
      button={t("payments.resolve")}
      run={async () => {
        if (note.trim() === "") throw new WrongField("note", t("payments.noteMissing"));
        await api.post(`${path}/${encodeURIComponent(payment.id)}/resolve`, { note: note.trim() });
        await changed(queries, "payment");
        notifySaved(t("payments.resolved"));
      }}
      close={close}
    >
      {(wrong) => (
        <Textarea
          label={t("payments.note")}
          description={t("payments.noteText")}
          required
          autosize
          minRows={2}
          value={note}
          error={wrong("note")}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </ConfirmDialog>
  );
}
