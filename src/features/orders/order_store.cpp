#include "features/orders/order_store.h"

#include <algorithm>
#include <deque>
#include <set>

#include "features/orders/order_import.h"
#include "storage/readable_rows.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

// The condition is written so that it implies that of no partial index: without statistics PostgreSQL takes those for
// very small, and would read all orders of the tenant in one of them.
const RecordTable<Order> order_table("orders",
                                     {.condition = " AND COALESCE(deleted_at, 0) = 0", .updates_later = true});
const std::string& select_order = order_table.select;

// The same order always counts in the same slot, so no slot's count is ever below zero.
std::int64_t slot_of(const Tx& tx, const OrderId& id) {
  if (tx.has_single_writer() || id.empty()) return 0;
  return static_cast<unsigned char>(id.text().back()) % 16;
}

}  // namespace

Select<Order> order_by_id(const TenantId& tenant, const OrderId& id) {
  return order_table.by_id(tenant, id);
}

static const Sql lock_sql("UPDATE orders SET id = id WHERE tenant_id = $1 AND id = $2");

void lock_order(Tx& tx, const TenantId& tenant, const OrderId& id) {
  tx.run({&lock_sql, params(tenant, id)});
}

static const Sql by_number_sql(select_order + " WHERE tenant_id = $1 AND order_number = $2 AND deleted_at IS NULL");

Select<Order> order_by_number(const TenantId& tenant, const std::string& order_number) {
  return {{&by_number_sql, params(tenant, order_number)}, read_row<Order>};
}

static const Sql of_customer_sql(select_order +
                                 " WHERE tenant_id = $1 AND customer_id = $2 AND customer_id IS NOT NULL"
                                 " AND deleted_at IS NULL AND (created_at, id) < ($3, $4)"
                                 " ORDER BY created_at DESC, id DESC LIMIT $5");

Select<Order> orders_of_customer(const TenantId& tenant, const CustomerId& customer, const Position& position,
                                 std::int64_t limit) {
  return {{&of_customer_sql, params(tenant, customer, position.created_at, position.id, limit)}, read_row<Order>};
}

static const Sql any_sql("SELECT 1 FROM orders WHERE tenant_id = $1 LIMIT 1");

bool has_orders(Tx& tx, const TenantId& tenant) {
  return tx.run({&any_sql, params(tenant)}) > 0;
}

// The statements that insert one, two … products: on PostgreSQL, a statement takes longer than a row.
static const std::deque<Sql> insert_products_sql = [] {
  constexpr std::size_t rows_max = 8;
  std::deque<Sql> by_count;
  std::string rows;
  for (std::size_t count = 1; count <= rows_max; ++count) {
    rows += fmt::format("{}($1, $2, ${})", count == 1 ? "" : ", ", count + 2);
    by_count.emplace_back("INSERT INTO order_products (tenant_id, order_id, product_id) VALUES " + rows +
                          " ON CONFLICT DO NOTHING");
  }
  return by_count;
}();
static const Sql erase_product_sql(
    "DELETE FROM order_products WHERE tenant_id = $1 AND product_id = $2 AND order_id = $3");

static std::set<ProductId> products_in(const Order& order) {
  std::set<ProductId> products;
  for (const OrderItem& item : order.items) products.insert(item.product_id);
  return products;
}

static void insert_order_products(Tx& tx, const Order& order, const std::set<ProductId>& products) {
  for (auto product = products.begin(); product != products.end();) {
    std::vector<Value> values = params(order.tenant_id, order.id);
    std::size_t rows = 0;
    for (; product != products.end() && rows < insert_products_sql.size(); ++product, ++rows) {
      values.emplace_back(product->text());
    }
    tx.later({&insert_products_sql[rows - 1], std::move(values)});
  }
}

void update_order_products(Tx& tx, const Order& before, const Order* after) {
  const std::set<ProductId> had = products_in(before),
                            has = after == nullptr ? std::set<ProductId>() : products_in(*after);
  if (had == has) return;
  for (const ProductId& product : had) {
    if (!has.contains(product)) tx.later({&erase_product_sql, params(before.tenant_id, product, before.id)});
  }
  std::set<ProductId> added;
  std::ranges::set_difference(has, had, std::inserter(added, added.end()));
  insert_order_products(tx, before, added);
}

static const Sql unfilled_sql(select_order + " WHERE search_text IS NULL LIMIT 500");
// An order that was changed since it was read is left to the next round: its products may be others.
static const Sql fill_sql(
    "UPDATE orders SET search_text = $4 WHERE tenant_id = $1 AND id = $2 AND version = $3 AND search_text IS NULL");

// An order that cannot be decoded is found by no search, and is not tried again.
static const Sql give_up_sql("UPDATE orders SET search_text = '' WHERE tenant_id = $1 AND id = $2");

std::int64_t fill_order_lists(Tx& tx, const JobFailures& failures) {
  const auto rows = readable_rows(tx, Select<Order>{{&unfilled_sql, {}}, read_row<Order>}, failures);
  for (const auto& [id, tenant, order] : rows) {
    if (!order) {
      tx.run({&give_up_sql, params(tenant, id)});
      continue;
    }
    const bool filled = tx.run({&fill_sql, params(tenant, id, order->version, search_text_of(*order))}) == 1;
    if (filled && !order->deleted_at.value) insert_order_products(tx, *order, products_in(*order));
  }
  return std::ssize(rows);
}

void insert_order(Tx& tx, const Order& order) {
  tx.later(order_table.insertion(order), [](const ConstraintViolation& violation) {
    if (violation.constraint == "orders_number_key") throw order_number_taken();
  });
  insert_order_products(tx, order, products_in(order));
}

void update_order(Tx& tx, Order& order) {
  const bool unfilled = !order.search_text.value;
  if (unfilled) order.search_text = {search_text_of(order)};
  order_table.update(tx, order);
  if (unfilled && !order.deleted_at.value) insert_order_products(tx, order, products_in(order));
}

static const Sql count_sql(
    "INSERT INTO order_counters (tenant_id, status, slot, orders) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT (tenant_id, status, slot) DO UPDATE SET orders = order_counters.orders + excluded.orders");

void count_orders(Tx& tx, const Order& order, OrderStatus status, std::int64_t difference) {
  const std::int64_t slot = slot_of(tx, order.id);
  tx.later_on_shared_row({SharedRow::Table::order_counters, order.tenant_id.text(),
                          fmt::format("{:02} {}", static_cast<int>(status), slot), 3},
                         {&count_sql, params(order.tenant_id, status, slot, difference)});
}

static const Sql count_imported_orders_sql(
    "INSERT INTO order_counters (tenant_id, status, slot, orders)"
    " SELECT tenant_id, status, 0, COUNT(*) FROM orders WHERE tenant_id = $1 AND deleted_at IS NULL"
    " GROUP BY tenant_id, status");

void count_imported_orders(Tx& tx, const TenantId& tenant) {
  tx.run({&count_imported_orders_sql, params(tenant)});
}

}  // namespace guildhall
