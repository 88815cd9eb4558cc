// Reading again what a change affects: one that somebody else has made (live.tsx), or an action of this page.
import type { QueryClient } from "@tanstack/react-query";

/** The beginnings of the query keys that show a kind of record. */
const shownBy = {
  order: [
    "/api/data/order",
    "/api/admin/payments",
    "/api/admin/reports",
    "/api/data/product",
    "/api/data/delivery-key",
  ],
  refund: ["/api/data/order", "/api/admin/payments", "/api/admin/reports"],
  payment: ["/api/admin/payments", "/api/data/order"],
  shipment: ["/api/data/shipment", "/api/data/order"],
  entitlement: ["/api/data/entitlement", "/api/data/delivery-key"],
  membership: ["/api/admin/memberships", "/api/admin/codes", "/api/admin/reports"],
  product: ["/api/data/product"],
  deliverable: ["/api/data/product", "/api/data/delivery-key"],
  discount: ["/api/data/discount"],
  customer: ["/api/data/customer"],
  user: ["/api/data/user"],
  grants: ["/api/admin/grants", "session"],
  role: ["/api/admin/roles", "/api/admin/permissions", "/api/admin/grants", "session"],
  invitation: ["/api/admin/invitations"],
  tenant: ["/api/data/tenant", "/auth/tenants", "/api/admin/settings", "/api/admin/branding"],
  branding: ["/api/admin/branding"],
  settings: ["/api/admin/settings"],
} satisfies Record<string, string[]>;
type Kind = keyof typeof shownBy;
/** What any change may concern. */
const always = ["attention", "checklist", "/api/admin/audit"];

/** The beginnings of the query keys that a change of a record concerns: for a kind that is not listed, all of `/api/admin/`. */
export function concernedBy(kind: string): string[] {
  return [...(Object.hasOwn(shownBy, kind) ? shownBy[kind as Kind] : ["/api/admin/"]), ...always];
}

/** Reads every query again whose key begins like this, as soon as it is shown. */
export function readAgain(queries: QueryClient, beginnings: string[]): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === "string" && beginnings.some((beginning) => first.startsWith(beginning)),
  });
}

/** After an action of this page that has changed records of these kinds. */
export function changed(queries: QueryClient, ...kinds: Kind[]): Promise<void> {
  return readAgain(queries, kinds.flatMap(concernedBy));
}

/** After an order has been made or changed, which may give or take roles and memberships, use a discount, and move a parcel. */
export function orderChanged(queries: QueryClient): Promise<void> {
  return changed(queries, "order", "shipment", "entitlement", "membership", "discount");
}
