// What a new shop still has to do, found in its own records: nobody has to tick anything off.
import { useQuery } from "@tanstack/react-query";
import type { Page } from "@guildhall/client";
import {
  api,
  type Branding,
  type Guilds,
  type Order,
  type PaymentMethod,
  type PaymentMethods,
  type Product,
} from "../api";
import { useIsShown } from "./idle";
import { useSession } from "../session";

export const checklistSteps = ["shop", "chat", "product", "payments", "trial"] as const;
export type ChecklistStep = (typeof checklistSteps)[number];

export function isUsable(method: PaymentMethod): boolean {
  return method.enabled && (method.configured || !method.processor);
}

/** Which steps are done; undefined while that is not known. */
export function useChecklist() {
  const { session, may } = useSession();
  return useQuery({
    queryKey: ["checklist"],
    enabled: useIsShown() && may("admin.access"),
    queryFn: async (): Promise<Record<ChecklistStep, boolean>> => {
      const one = { query: { limit: 1 } };
      const [branding, guilds, products, methods, orders] = await Promise.all([
        api.get<Branding>("/api/admin/branding"),
        api.get<Guilds>("/api/admin/guilds"),
        api.get<Page<Product>>("/api/data/product", one),
        api.get<PaymentMethods>("/api/admin/payment-methods"),
        api.get<Page<Order>>("/api/data/order", one),
      ]);
      return {
        shop: branding.shopName !== session.user.tenantId,
        chat: guilds.items.length > 0,
        product: products.items.length > 0,
        payments: methods.methods.some(isUsable),
        trial: orders.items.length > 0,
      };
    },
  });
}
