#include "features/orders/order_list.h"

#include "features/orders/open_orders.h"

namespace guildhall {

static const Listing listing = Listing::of<OrderQuery>({
    .table = "orders",
    .columns = columns<Order>(),
    .condition = "deleted_at IS NULL",
    .unique = {"order_number"},
    .paths =
        {
            metadata_path("orders"),
            {.filter = "customer_id", .condition = "customer_id = :customer_id AND customer_id IS NOT NULL"},
            {.filter = "discount_id", .condition = "discount_id = :discount_id AND discount_id IS NOT NULL"},
            {.filter = "product_id",
             .condition = "product_id = :product_id",
             .table = "order_products",
             .id = "order_id",
             .order = ListPath::Order::id},
            // An order can have several payments, and payments stay when their order is deleted.
            {.filter = "payment_method",
             .condition = "provider = :payment_method",
             .table = "payments",
             .id = "order_id",
             .order = ListPath::Order::id,
             .exact = false},
            {.filter = "payment_status",
             .condition = "status = :payment_status",
             .table = "payments",
             .id = "order_id",
             .order = ListPath::Order::id,
             .exact = false},
            {.filter = "status", .condition = "status = :status_1"},
            {.filter = "shipping_status", .condition = "shipping_status = :shipping_status_1"},
            {.filter = "total_min",
             .condition = "total_cents >= COALESCE(CAST(:total_min AS bigint), 0)"
                          " AND total_cents <= COALESCE(CAST(:total_max AS bigint), 9223372036854775807)",
             .order = ListPath::Order::none,
             .or_filter = "total_max"},
        },
    .in_index = {"total_min", "total_max", "search"},
});

const Listing& order_listing() {
  return listing;
}

ListTotal order_total(Tx& tx, const ListRequest& request) {
  if (!request.filters.set.empty()) return listing.total(tx, request);
  std::int64_t orders = 0;
  for (const StatusCount& count : tx.all(order_counts(request.tenant))) orders += count.orders;
  return {std::min(orders, Listing::total_max), orders > Listing::total_max};
}

}  // namespace guildhall
