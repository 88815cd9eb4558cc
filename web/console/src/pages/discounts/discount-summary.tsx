// What a discount will do, in sentences, before it is saved.
import { Alert, Text } from "@mantine/core";
import { dateTime, parseMoney } from "../../lib/format";
import { instantOf, shopCurrency } from "../../lib/shop";
import { t } from "../../text";
import { useNames } from "../../ui/record-select";
import { useRoleName } from "../../ui/role-select";
import type { DiscountValues } from "./discount";
import { discountValue } from "./discounts";

/** The first few names, so that the sentence stays short. */
function listed(names: string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? t("discountSays.andMore", { names: shown, count: names.length - 3 }) : shown;
}

/** Null while it is not known how much the discount takes off. */
function valueOf(values: DiscountValues): string | null {
  if (values.type === "PERCENT")
    return values.percent === ""
      ? null
      : discountValue({ type: "PERCENT", percent: Number(values.percent), amountCents: null, currency: null });
  const amountCents = parseMoney(values.amountCents, values.currency || shopCurrency());
  return amountCents === null
    ? null
    : discountValue({ type: "AMOUNT", percent: null, amountCents, currency: values.currency || null });
}

function timeText({ startsAt, endsAt }: DiscountValues): string {
  const time = { start: startsAt && dateTime(instantOf(startsAt)), end: endsAt && dateTime(instantOf(endsAt)) };
  if (startsAt && endsAt) return t("discountSays.fromTo", time);
  if (startsAt) return t("discountSays.from", time);
  return endsAt ? t("discountSays.to", time) : t("discountSays.always");
}

export function DiscountSummary({ values }: { values: DiscountValues }) {
  const products = useNames("product", values.appliesTo === "some" ? values.productIds : []);
  const customers = useNames("customer", values.appliesTo === "some" ? values.customerIds : []);
  const roleName = useRoleName();
  const value = valueOf(values);
  const limited = values.productIds.length + values.roleIds.length + values.customerIds.length > 0;
  const complete = value !== null && (values.appliesTo === "all" || (values.appliesTo === "some" && limited));
  const sentences = () => {
    const some = values.appliesTo === "some";
    const code = values.code.trim();
    return [
      some && products.length > 0
        ? t("discountSays.products", { value: value!, products: listed(products.map((each) => each.label)) })
        : t(some ? "discountSays.orders" : "discountSays.all", { value: value! }),
      some && values.roleIds.length > 0 && t("discountSays.roles", { roles: listed(values.roleIds.map(roleName)) }),
      some &&
        customers.length > 0 &&
        t("discountSays.customers", { customers: listed(customers.map((each) => each.label)) }),
      code === "" ? t("discountSays.noCode") : t("discountSays.code", { code }),
      values.isActive ? timeText(values) : t("discountSays.off"),
      values.usageLimit === ""
        ? t("discountSays.unlimited")
        : t("discountSays.limit", { count: Number(values.usageLimit) }),
    ]
      .filter(Boolean)
      .join(" ");
  };
  return (
    <Alert color={complete ? "blue" : "gray"} title={t("discountSays.title")} role="status">
      <Text className="break-anywhere">{complete ? sentences() : t("discountSays.incomplete")}</Text>
    </Alert>
  );
}
