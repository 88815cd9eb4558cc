#pragma once

#include "features/orders/order.h"
#include "storage/database.h"

// The list of open orders for admins. Orders are found by an index alone. Totals come from per-status counters, not
// from COUNT(*), unless the query has a search or a range of dates.
namespace guildhall {

enum class OpenOrderStatus { PENDING_PAYMENT, PAID, FULFILLING, SHIPPED };
BOOST_DESCRIBE_ENUM(OpenOrderStatus, PENDING_PAYMENT, PAID, FULFILLING, SHIPPED)

struct OpenOrdersQuery {
  std::optional<OpenOrderStatus> status;
  std::optional<std::string> search;  // a part of the order number, in any case
  std::optional<Instant> created_from, created_to;
  Default<Bounded<1, 1'000'000'000>> page{};
  Default<Bounded<1, 200>> page_size{Bounded<1, 200>{50}};
};
BOOST_DESCRIBE_STRUCT(OpenOrdersQuery, (), (status, search, created_from, created_to, page, page_size))

struct OpenOrder {
  OrderId id;
  std::string order_number;
  OrderStatus status;
  OrderShippingStatus shipping_status;
  Cents total_cents;
  Currency currency;
  std::string customer_name;
  Instant created_at;
  Instant updated_at;
};
BOOST_DESCRIBE_STRUCT(OpenOrder, (),
                      (id, order_number, status, shipping_status, total_cents, currency, customer_name, created_at,
                       updated_at))

struct OpenOrdersPage {
  std::vector<OpenOrder> items;
  std::int64_t page = 1;
  std::int64_t page_size = 50;
  std::int64_t total = 0;
};
BOOST_DESCRIBE_STRUCT(OpenOrdersPage, (), (items, page, page_size, total))

struct StatusCount {
  OrderStatus status;
  std::int64_t orders = 0;
};

// The number of orders in each status. A status without orders may be missing.
Select<StatusCount> order_counts(const TenantId& tenant);

// Newest first; orders of the same time by id.
Select<OpenOrder> open_orders(const TenantId& tenant, const OpenOrdersQuery& query);

// Whether the total of the query comes from the counters.
bool is_counted(const OpenOrdersQuery& query);

// The total of any query. It reads every index entry that the query matches, which may take long.
Select<std::int64_t> count_open_orders(const TenantId& tenant, const OpenOrdersQuery& query);

}  // namespace guildhall
