import { IconPlus } from "@tabler/icons-react";
import type { Discount } from "../api";
import { count, money } from "../lib/format";
import { useSession } from "../session";
import { t } from "../text";
import { Empty, GuardedButton, PageHead, Status } from "../ui/basics";
import { CursorList } from "../ui/list";

export function discountValue(discount: Pick<Discount, "type" | "percent" | "amountCents" | "currency">): string {
  if (discount.type === "PERCENT") return `${discount.percent ?? 0} %`;
  return money(discount.amountCents ?? 0, discount.currency ?? "USD");
}

export function DiscountsPage() {
  const { may } = useSession();
  const add = (
    <GuardedButton allowed={may("data.write")} href="/discounts/new" leftSection={<IconPlus size={16} />}>{t("discounts.add")}</GuardedButton>
  );
  return (
    <>
      <PageHead title={t("discounts.title")} actions={add} />
      <CursorList<Discount>
        label={t("discounts.title")}
        path="/api/data/discount"
        columns={[
          { title: t("discounts.code"), cell: (discount) => discount.code ?? t("discounts.noCode") },
          { title: t("discounts.value"), cell: discountValue, phone: true },
          { title: t("discounts.state"), cell: (discount) => <Status value={discount.lifecycle.isActive ? "ACTIVE" : "INACTIVE"} kind="productState" />, phone: true },
          { title: t("discounts.scope"), cell: (discount) => t(discount.scope.appliesToAll ? "discounts.everything" : "discounts.limited") },
          { title: t("discounts.uses"), cell: (discount) => (discount.lifecycle.usageLimit ? t("discounts.usesOf", { count: count(discount.usageCount), limit: count(discount.lifecycle.usageLimit) }) : count(discount.usageCount)), numeric: true, phone: true },
        ]}
        keyOf={(discount) => discount.id}
        hrefOf={(discount) => `/discounts/${discount.id}`}
        empty={<Empty title={t("discounts.empty")} text={t("discounts.emptyText")} action={add} />}
      />
    </>
  );
}
