// Which actions an order's status allows. The server decides; this only avoids offering what it would refuse.
import type { Order, OrderStatus } from "../api";

export const orderStatuses: OrderStatus[] = ["PENDING_PAYMENT", "PAID", "FULFILLING", "SHIPPED", "COMPLETE", "CANCELLED", "REFUNDED"];
export const openStatuses: OrderStatus[] = ["PENDING_PAYMENT", "PAID", "FULFILLING", "SHIPPED"];
export const closedStatuses: OrderStatus[] = ["COMPLETE", "CANCELLED", "REFUNDED"];
export const nextStatus: Partial<Record<OrderStatus, OrderStatus>> = { PENDING_PAYMENT: "PAID", PAID: "FULFILLING", FULFILLING: "SHIPPED", SHIPPED: "COMPLETE" };
export const refundable: OrderStatus[] = ["PAID", "FULFILLING", "SHIPPED", "COMPLETE"];
export const cancellable: OrderStatus[] = ["PENDING_PAYMENT", "PAID", "FULFILLING"];
export const shippable: OrderStatus[] = ["PAID", "FULFILLING"];

/** Whether something is shipped or waits for it: a digital order or a contribution has no address, and nothing is sent before it is paid. */
export function hasParcel(order: Order): boolean {
  return order.shippingStatus !== "PENDING" || (Boolean(order.shippingAddress) && refundable.includes(order.status));
}
