// Which actions an order's status allows. The server decides; this only avoids offering what it would refuse.
import type { Order, OrderStatus } from "../api";
import { filterValues, valuesOf } from "../enums";

export const orderStatuses = valuesOf("Order", "status");
export const openStatuses = filterValues("/api/data/order/open", "status");
export const closedStatuses = orderStatuses.filter((status) => !openStatuses.some((open) => open === status));
export const nextStatus: Partial<Record<OrderStatus, OrderStatus>> = {
  PENDING_PAYMENT: "PAID",
  PAID: "FULFILLING",
  FULFILLING: "SHIPPED",
  SHIPPED: "COMPLETE",
};
export const refundable: OrderStatus[] = ["PAID", "FULFILLING", "SHIPPED", "COMPLETE"];
export const cancellable: OrderStatus[] = ["PENDING_PAYMENT", "PAID", "FULFILLING"];
export const shippable: OrderStatus[] = ["PAID", "FULFILLING"];

/** Whether something is shipped or waits for it: a digital order or a contribution has no address, and nothing is sent before it is paid. */
export function hasParcel(order: Order): boolean {
  return order.shippingStatus !== "PENDING" || (Boolean(order.shippingAddress) && refundable.includes(order.status));
}
