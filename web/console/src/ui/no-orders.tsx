// Says that no order is open, which is something else than that there are no orders.
import { useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import type { ReactNode } from "react";
import { api, type Order } from "../api";
import { t } from "../text";
import { Empty, GuardedButton } from "./basics";

export function NoOpenOrders({ action }: { action?: ReactNode }) {
  const path = "/api/data/order";
  const any = useQuery({
    queryKey: [path, "any"],
    queryFn: ({ signal }) => api.get<Page<Order>>(path, { query: { limit: 1 }, signal }),
  });
  if (any.isPending) return <div style={{ minHeight: 160 }} />;
  if (!any.data || any.data.items.length === 0)
    return <Empty title={t("orders.empty")} text={t("orders.emptyText")} action={action} />;
  return (
    <Empty
      title={t("orders.noneOpen")}
      text={t("orders.noneOpenText")}
      action={
        <GuardedButton allowed variant="default" href="/orders?view=all">
          {t("orders.showAll")}
        </GuardedButton>
      }
    />
  );
}
