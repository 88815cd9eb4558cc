import { SegmentedControl, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, type Payment } from "../api";
import { useUrlState } from "../lib/url-state";
import { t, type TextKey } from "../text";
import { Empty, GuardedButton, Money, PageHead, Status, When } from "../ui/basics";
import { ConfirmDialog } from "../ui/dialogs";
import { notifySaved } from "../ui/form";
import { CursorList } from "../ui/list";

export function PaymentsPage() {
  const { values, change } = useUrlState(["attention"]);
  const [resolving, setResolving] = useState<Payment | null>(null);
  return (
    <>
      <PageHead title={t("payments.title")} />
      <SegmentedControl
        mb="md"
        aria-label={t("payments.view")}
        value={values.attention === "true" ? "attention" : "all"}
        data={[{ value: "all", label: t("payments.all") }, { value: "attention", label: t("payments.attention") }]}
        onChange={(view) => change({ attention: view === "attention" ? "true" : "" })}
      />
      <CursorList<Payment>
        label={t("payments.title")}
        path="/api/admin/payments"
        query={values.attention === "true" ? { attention: true } : {}}
        columns={[
          { title: t("payments.id"), cell: (payment) => payment.providerPaymentId ?? payment.id },
          { title: t("payments.through"), cell: (payment) => t(`provider.${payment.provider}` as TextKey), phone: true },
          { title: t("payments.order"), cell: (payment) => (payment.orderId ? <Link href={`/orders/${payment.orderId}`}>{t("payments.openOrder")}</Link> : t("none")), phone: true },
          { title: t("payments.status"), cell: (payment) => <Status value={payment.status} kind="paymentStatus" />, phone: true },
          {
            title: t("payments.flag"),
            cell: (payment) =>
              payment.attention && (
                <GuardedButton allowed size="compact-sm" variant="light" color="red" onClick={() => setResolving(payment)}>{t(`flag.${payment.attention}` as TextKey)}</GuardedButton>
              ),
            phone: true,
          },
          { title: t("orders.created"), cell: (payment) => <When at={payment.createdAt} /> },
          { title: t("order.amount"), cell: (payment) => <Money cents={payment.amountCents} currency={payment.currency || payment.expectedCurrency || "USD"} />, numeric: true, phone: true },
        ]}
        keyOf={(payment) => payment.id}
        empty={values.attention === "true" ? <Empty title={t("payments.noFlags")} text={t("payments.noFlagsText")} /> : <Empty title={t("payments.empty")} text={t("payments.emptyText")} />}
      />
      {resolving && <ResolveDialog payment={resolving} close={() => setResolving(null)} />}
    </>
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
        await api.post(`/api/admin/payments/${encodeURIComponent(payment.id)}/resolve`, { note });
        await queries.invalidateQueries({ queryKey: ["/api/admin/payments"] });
        notifySaved(t("payments.resolved"));
      }}
      close={close}
    >
      <Textarea label={t("payments.note")} description={t("payments.noteText")} required autosize minRows={2} value={note} onChange={(event) => setNote(event.currentTarget.value)} data-autofocus />
    </ConfirmDialog>
  );
}
