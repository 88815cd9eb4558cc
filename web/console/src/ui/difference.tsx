// The changes of an audit entry in words: the field, what it was (struck through), what it is.
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useState, type ReactNode } from "react";
import { count, dateTime, money } from "../lib/format";
import { fundConfigQuery } from "../lib/fund";
import { useCurrency, type NamedKind } from "../lib/names";
import { rightName } from "../lib/roles";
import { t, textOr } from "../text";
import { RecordName } from "./record-name";

export type Changes = Record<string, unknown>;
const shownMax = 5;
/** Fields that say nothing to a person, or the same as another one. */
const hidden = new Set([
  "id",
  "tenantId",
  "createdAt",
  "updatedAt",
  "version",
  "discountId",
  "shipmentId",
  "paidAt",
  "grantedAt",
  "lastAttemptAt",
  "search",
  "searchText",
  "pricing",
  "parcel",
]);
const statusKinds: Record<string, string> = {
  order: "orderStatus",
  payment: "paymentStatus",
  refund: "refundStatus",
  entitlement: "entitlementStatus",
  shipment: "shippingStatus",
  membership: "membershipState",
};
const namedFields: Record<string, NamedKind> = {
  customerId: "customer",
  recipientCustomerId: "customer",
  orderId: "order",
  claimedOrderId: "order",
  ownerUserId: "user",
  productId: "product",
  userId: "user",
  approvedBy: "user",
};

/** `unitPriceCents` as people read it: "Unit price". */
export function words(name: string): string {
  const plain = name
    .replace(/(Cents|Id)$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_.]/g, " ")
    .toLowerCase();
  return textOr(`field.${name}`, plain.charAt(0).toUpperCase() + plain.slice(1));
}

function isPair(change: unknown): change is { before?: unknown; after?: unknown } {
  return typeof change === "object" && change !== null && ("before" in change || "after" in change);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function listText(value: unknown[]): string {
  const items = value as { quantity?: number; name?: string }[];
  if (items.every((item) => typeof item === "object" && item !== null && item.name !== undefined))
    return items.map((item) => `${item.quantity ?? 1} × ${item.name}`).join(", ");
  return value.map((each) => (typeof each === "object" ? JSON.stringify(each) : String(each))).join(", ");
}

interface ValueProps {
  subject: string;
  field: string;
  value: unknown;
  /** Of the amounts; null: unknown. */
  currency: string | null;
}

/** The value of a field as people read it. */
export function Value({ subject, field, value, currency }: ValueProps): ReactNode {
  if (isEmpty(value)) return t("audit.nothing");
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  if (typeof value === "number") {
    if (!field.endsWith("Cents")) return count(value);
    return currency ? money(value, currency) : t("audit.minorUnits", { count: count(value) });
  }
  if (field === "keys" || field === "disbursementApprovalRoles")
    return [value]
      .flat()
      .map((key) => rightName(String(key)))
      .join(", ");
  if (typeof value === "string") {
    const kind = namedFields[field];
    if (kind) return <RecordName kind={kind} id={value} />;
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return dateTime(value);
    const statuses = field === "shippingStatus" ? "shippingStatus" : statusKinds[subject];
    return field === "status" || field === "shippingStatus"
      ? textOr(`${statuses}.${value}`, value)
      : cut(textOr(`${field}.${value}`, value));
  }
  if (Array.isArray(value) && field.endsWith("Cents") && currency)
    return value.map((each) => money(Number(each), currency)).join(", ");
  if (Array.isArray(value)) return cut(listText(value));
  const members = Object.entries(value as object).filter(([, each]) => !isEmpty(each));
  return members.map(([key, each], index) => (
    <Fragment key={key}>
      {index > 0 && ", "}
      {words(key)}{" "}
      {typeof each === "object" && !Array.isArray(each) ? (
        "…"
      ) : (
        <Value subject={subject} field={key} value={each} currency={currency} />
      )}
    </Fragment>
  ));
}

export function Difference({ subject, subjectId, changes }: { subject: string; subjectId: string; changes: Changes }) {
  const [all, setAll] = useState(false);
  const pairs = Object.entries(changes ?? {}).map(
    ([field, change]) => [field, isPair(change) ? change : { after: change }] as const,
  );
  // A field that had nothing and has nothing, as many of a new record's, says nothing.
  const entries = pairs.filter(
    ([field, change]) => !hidden.has(field) && !(isEmpty(change.before) && isEmpty(change.after)),
  );
  const named = pairs.find(([field]) => field === "currency")?.[1].after;
  // The change of a record that has one names its currency only if that has changed.
  const priced =
    named === undefined &&
    (subject === "order" || subject === "product") &&
    entries.some(([field]) => field.endsWith("Cents"));
  const known = useCurrency(subject === "product" ? "product" : "order", priced ? subjectId : null);
  const fund = useQuery({ ...fundConfigQuery, enabled: named === undefined && subject.startsWith("fund") });
  const currency = typeof named === "string" ? named : (fund.data?.record.currency ?? known);
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("audit.noFields")}
      </Text>
    );
  const shown = all ? entries : entries.slice(0, shownMax);
  return (
    <Stack gap={2} align="flex-start">
      {shown.map(([field, change]) => {
        const value = (each: unknown) => (
          <Value subject={subject} field={field.split("[", 1)[0]!} value={each} currency={currency} />
        );
        return (
          <Text key={field} size="sm" className="break-anywhere">
            {words(field.split("[", 1)[0]!)}:{" "}
            {!isEmpty(change.before) && (
              <>
                <del className="difference-before">{value(change.before)}</del> →{" "}
              </>
            )}
            <ins className="difference-after">{value(change.after)}</ins>
          </Text>
        );
      })}
      {entries.length > shownMax && !all && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
          {t("audit.more", { count: entries.length - shownMax })}
        </Button>
      )}
    </Stack>
  );
}
