// The history of an order in sentences of the page's language.
import type { Timeline } from "../api";
import { t, textOr, type TextKey } from "../text";
import { dateTime, money } from "./format";

type Entry = Timeline["items"][number];
interface Change {
  before?: unknown;
  after?: unknown;
}
type Changes = Record<string, Change | undefined>;

/** The status of an order that was paid changes at the same moment: that is said once. */
export function withoutRepetitions(entries: Entry[]): Entry[] {
  return entries.filter((entry) => {
    const status = (entry.changes as Changes)["status"]?.after;
    return (
      entry.kind !== "STATUS_CHANGED" ||
      status !== "PAID" ||
      !entries.some((other) => other.kind === "PAID" && other.at === entry.at)
    );
  });
}

export function momentTitle(entry: Entry): string {
  const changes = entry.changes as Changes;
  const status = changes["status"]?.after;
  if (entry.kind === "STATUS_CHANGED" && typeof status === "string") return t(`orderStatus.${status}` as TextKey);
  const parcel =
    (changes["parcel"]?.after as { status?: string; moved?: boolean } | undefined)?.status ??
    changes["shippingStatus"]?.after;
  if (entry.kind === "PARCEL" && typeof parcel === "string")
    return t("moment.parcelIs", { status: t(`shippingStatus.${parcel}` as TextKey) });
  return t(`moment.${entry.kind}` as TextKey);
}

/** What the title does not say; empty if it says everything. */
export function momentText(entry: Entry, currency: string): string {
  const changes = entry.changes as Changes;
  const cents = (value: unknown, code: unknown = currency) =>
    money(typeof value === "number" ? value : 0, typeof code === "string" && code !== "" ? code : currency);
  switch (entry.kind) {
    case "DISCOUNT_APPLIED":
    case "DISCOUNT_REMOVED": {
      const code = changes["discountCode"]?.[entry.kind === "DISCOUNT_APPLIED" ? "after" : "before"];
      const amount = changes["discountAmountCents"]?.after;
      return [code, entry.kind === "DISCOUNT_APPLIED" && typeof amount === "number" && cents(-amount)]
        .filter(Boolean)
        .join(" · ");
    }
    case "PRICE_OVERRIDDEN": {
      const made = (changes["priceOverrides"]?.after ?? []) as {
        field: string;
        itemName?: string | null;
        cents: number;
        computedCents: number;
        currency?: string;
      }[];
      return made
        .map((each) =>
          t("order.override", {
            field: each.itemName ?? textOr(`overridden.${each.field}`, each.field),
            amount: cents(each.cents, each.currency),
            computed: cents(each.computedCents, each.currency),
          }),
        )
        .join(" ");
    }
    case "PARCEL": {
      const parcel = changes["parcel"]?.after as { carrier?: string; trackingNumber?: string } | undefined;
      return [parcel?.carrier, parcel?.trackingNumber ?? changes["trackingNumber"]?.after].filter(Boolean).join(" · ");
    }
    case "REFUND": {
      const refund = changes["refund"]?.after as
        | { amountCents?: number; currency?: string; status?: string; reason?: string | null; error?: string | null }
        | undefined;
      return [
        cents(refund?.amountCents, refund?.currency),
        refund?.status && t(`refundStatus.${refund.status}` as TextKey),
        refund?.reason,
        refund?.error,
      ]
        .filter(Boolean)
        .join(" · ");
    }
    case "INVOICE_LINK_MADE": {
      const until = changes["expiresAt"]?.after;
      return typeof until === "string" ? t("moment.validUntil", { time: dateTime(until) }) : "";
    }
    case "EDITED":
      return editedText(changes, cents);
    default:
      return "";
  }
}

function editedText(changes: Changes, cents: (value: unknown) => string): string {
  const parts = new Set<string>();
  for (const [key, change] of Object.entries(changes)) {
    const field = key.split("[", 1)[0]!;
    const name = textOr(`field.${field}`, field);
    parts.add(field.endsWith("Cents") ? `${name}: ${cents(change?.before)} → ${cents(change?.after)}` : name);
  }
  return [...parts].join(" · ");
}
