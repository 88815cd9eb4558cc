import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, type Entitlement } from "../api";
import { useSession } from "../session";
import { t } from "../text";
import { Empty, GuardedButton, PageHead, Status, When } from "../ui/basics";
import { ConfirmDialog } from "../ui/dialogs";
import { notifySaved } from "../ui/form";
import { CursorList } from "../ui/list";

export function EntitlementsPage() {
  const { may } = useSession();
  const queries = useQueryClient();
  const [checking, setChecking] = useState(false);
  const retry = async (entitlement: Entitlement) => {
    await api.patch(`/api/data/entitlement/${encodeURIComponent(entitlement.id)}`, { status: "PENDING" });
    await queries.invalidateQueries({ queryKey: ["/api/data/entitlement"] });
    notifySaved(t("entitlements.retried"));
  };
  return (
    <>
      <PageHead
        title={t("entitlements.title")}
        actions={<GuardedButton allowed={may("admin.access")} variant="default" onClick={() => setChecking(true)}>{t("entitlements.check")}</GuardedButton>}
      />
      <CursorList<Entitlement>
        label={t("entitlements.title")}
        path="/api/data/entitlement"
        columns={[
          { title: t("entitlements.what"), cell: (entitlement) => (entitlement.type === "CHAT_ROLE" ? t("entitlements.role", { id: entitlement.roleId ?? "" }) : t("entitlements.item")) },
          { title: t("entitlements.member"), cell: (entitlement) => entitlement.chatUserId ?? (entitlement.userId || t("none")), phone: true },
          { title: t("orders.status"), cell: (entitlement) => <Status value={entitlement.status} kind="entitlementStatus" />, phone: true },
          { title: t("entitlements.reason"), cell: (entitlement) => entitlement.failureReason ?? "", phone: true },
          { title: t("payments.order"), cell: (entitlement) => (entitlement.orderId ? <Link href={`/orders/${entitlement.orderId}`}>{t("payments.openOrder")}</Link> : t("none")) },
          { title: t("orders.created"), cell: (entitlement) => <When at={entitlement.createdAt} /> },
          {
            title: t("entitlements.action"),
            cell: (entitlement) => entitlement.status === "FAILED" && <GuardedButton allowed={may("data.write")} size="compact-sm" variant="light" onClick={() => void retry(entitlement)}>{t("action.tryAgain")}</GuardedButton>,
            phone: true,
          },
        ]}
        keyOf={(entitlement) => entitlement.id}
        empty={<Empty title={t("entitlements.empty")} text={t("entitlements.emptyText")} />}
      />
      {checking && (
        <ConfirmDialog title={t("entitlements.check")} text={t("entitlements.checkText")} button={t("entitlements.check")} run={() => api.post("/api/admin/entitlements/reconcile").then(() => notifySaved(t("entitlements.checking")))} close={() => setChecking(false)} />
      )}
    </>
  );
}
