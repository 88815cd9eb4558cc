#pragma once

#include "features/orders/order.h"
#include "storage/database.h"

// What an admin sees of the orders that still want something done: found by index alone, counted without counting.
namespace guildhall {

enum class OpenOrderStatus { PENDING_PAYMENT, PAID, FULFILLING, SHIPPED };
BOOST_DESCRIBE_ENUM(OpenOrderStatus, PENDING_PAYMENT, PAID, FULFILLING, SHIPPED)

struct OpenOrdersQuery {
  std::optional<OpenOrderStatus> status;
  std::optional<std::string> search;  // anywhere in the order number, without case
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

// How many orders there are of each status; one without orders may be missing.
Select<StatusCount> order_counts(const TenantId& tenant);

// Newest first, ties by id.
Select<OpenOrder> open_orders(const TenantId& tenant, const OpenOrdersQuery& query);

// Whether the total of the query is known without counting.
bool is_counted(const OpenOrdersQuery& query);

// The total of any query, by reading as much of the index as the query leaves: may take long.
Select<std::int64_t> count_open_orders(const TenantId& tenant, const OpenOrdersQuery& query);

}  // namespace guildhall
