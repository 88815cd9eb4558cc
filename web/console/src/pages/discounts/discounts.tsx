import { IconPlus } from "@tabler/icons-react";
import type { Discount } from "../../api";
import { count, money } from "../../lib/format";
import { shopCurrency } from "../../lib/shop";
import { useUrlState } from "../../lib/url-state";
import { useSession } from "../../session";
import { t } from "../../text";
import { Empty, GuardedButton, PageHead } from "../../ui/basics";
import { FilterBar, queryOf, type Filter } from "../../ui/filters";
import { NothingMatches } from "../../ui/list";
import { PagedList } from "../../ui/paged-list";
import { StatusMark, type Tone } from "../../ui/marks";

const filters: Filter[] = [
  {
    key: "isActive",
    label: t("discounts.state"),
    kind: "choice",
    quick: true,
    data: [
      { value: "true", label: t("discounts.switchedOn") },
      { value: "false", label: t("discountState.INACTIVE") },
    ],
  },
  {
    key: "type",
    label: t("discounts.type"),
    kind: "choice",
    quick: true,
    data: [
      { value: "PERCENT", label: t("discounts.percent") },
      { value: "AMOUNT", label: t("discounts.amount") },
    ],
  },
];
const keys = ["search", "sort", ...filters.map((filter) => filter.key)];

export function discountValue(discount: Pick<Discount, "type" | "percent" | "amountCents" | "currency">): string {
  if (discount.type === "PERCENT") return `${discount.percent ?? 0} %`;
  return money(discount.amountCents ?? 0, discount.currency ?? shopCurrency());
}

const stateTones = {
  ACTIVE: "good",
  INACTIVE: "neutral",
  OVER: "neutral",
  USED_UP: "neutral",
  NOT_YET: "waiting",
} satisfies Record<string, Tone>;

function stateOf(
  { lifecycle, usageCount }: Pick<Discount, "lifecycle" | "usageCount">,
  now: number,
): keyof typeof stateTones {
  if (!lifecycle.isActive) return "INACTIVE";
  if (lifecycle.endsAt && Date.parse(lifecycle.endsAt) <= now) return "OVER";
  if (lifecycle.usageLimit && usageCount >= lifecycle.usageLimit) return "USED_UP";
  return lifecycle.startsAt && Date.parse(lifecycle.startsAt) > now ? "NOT_YET" : "ACTIVE";
}

export function DiscountState({ discount }: { discount: Discount }) {
  const state = stateOf(discount, Date.now());
  return <StatusMark tone={stateTones[state]}>{t(`discountState.${state}`)}</StatusMark>;
}

export function DiscountsPage() {
  const { may } = useSession();
  const { values, change, clear, filtered } = useUrlState(keys);
  const add = (
    <GuardedButton allowed={may("data.write")} href="/discounts/new" leftSection={<IconPlus size={16} />}>
      {t("discounts.add")}
    </GuardedButton>
  );
  return (
    <>
      <PageHead title={t("discounts.title")} primary={add} />
      <FilterBar filters={filters} values={values} change={change} search={t("discounts.search")} />
      <PagedList<Discount>
        label={t("discounts.title")}
        path="/api/data/discount"
        query={queryOf(filters, values)}
        columns={[
          { title: t("discounts.code"), cell: (discount) => discount.code ?? t("discounts.noCode") },
          { title: t("discounts.value"), cell: discountValue, phone: true },
          { title: t("discounts.state"), cell: (discount) => <DiscountState discount={discount} />, phone: true },
          {
            title: t("discounts.scope"),
            cell: (discount) => t(discount.scope.appliesToAll ? "discounts.everything" : "discounts.limited"),
          },
          {
            title: t("discounts.uses"),
            cell: (discount) =>
              discount.lifecycle.usageLimit
                ? t("discounts.usesOf", {
                    count: count(discount.usageCount),
                    limit: count(discount.lifecycle.usageLimit),
                  })
                : count(discount.usageCount),
            numeric: true,
            phone: true,
          },
        ]}
        keyOf={(discount) => discount.id}
        hrefOf={(discount) => `/discounts/${discount.id}`}
        empty={
          filtered ? (
            <NothingMatches clear={clear} />
          ) : (
            <Empty title={t("discounts.empty")} text={t("discounts.emptyText")} action={add} />
          )
        }
      />
    </>
  );
}
