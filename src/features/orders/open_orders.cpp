#include "features/orders/open_orders.h"

#include <deque>

#include "base/text.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

// The optional filters that a query uses. Each combination has a statement of its own: PostgreSQL would plan one
// statement for all combinations again on each run, which takes longer than reading the page.
struct Filters {
  bool range, status, search;

  explicit Filters(std::size_t bits) : range((bits & 1) != 0), status((bits & 2) != 0), search((bits & 4) != 0) {}
  explicit Filters(const OpenOrdersQuery& query)
      : range(query.created_from || query.created_to),
        status(query.status.has_value()),
        search(query.search && !query.search->empty()) {}

  [[nodiscard]] std::size_t bits() const { return (range ? 1U : 0U) | (status ? 2U : 0U) | (search ? 4U : 0U); }
  static constexpr std::size_t combinations = 8;
};

// The FROM and WHERE clauses of the page and of its total. `next` becomes the number of the next parameter.
std::string matching_rows(const Filters& filters, int& next) {
  // All orders of an open status are open. There is one index for the orders of any status.
  std::string sql = " FROM orders WHERE tenant_id = $1 AND ";
  sql += filters.status ? "deleted_at IS NULL" : "is_open";
  next = 2;
  if (filters.range) {
    sql += fmt::format(" AND created_at BETWEEN ${} AND ${}", next, next + 1);
    next += 2;
  }
  if (filters.status) sql += fmt::format(" AND status = ${}", next++);
  if (filters.search) sql += fmt::format(R"( AND search LIKE ${} ESCAPE '\')", next++);
  return sql;
}

std::vector<Value> values_for(const TenantId& tenant, const OpenOrdersQuery& query) {
  const Filters filters(query);
  std::vector<Value> values = params(tenant);
  if (filters.range) {
    values.emplace_back(query.created_from.value_or(Instant{INT64_MIN}).ms);
    values.emplace_back(query.created_to.value_or(Instant{INT64_MAX}).ms);
  }
  if (filters.status) values.emplace_back(std::string(name_of(*query.status)));
  if (filters.search) values.emplace_back(contains_pattern(*query.search));
  return values;
}

// The first page reads only the rows that it shows.
std::string first_page_sql(const Filters& filters) {
  int next = 0;
  const std::string rows = matching_rows(filters, next);
  return "SELECT id, order_number, status, shipping_status, total_cents, currency, customer, created_at, updated_at" +
         rows + fmt::format(" ORDER BY created_at DESC, id DESC LIMIT ${}", next);
}

// The subquery finds the ids of the page in the index, so the skipped rows themselves are not read.
std::string page_sql(const Filters& filters) {
  int next = 0;
  const std::string rows = matching_rows(filters, next);
  return "SELECT o.id, o.order_number, o.status, o.shipping_status, o.total_cents, o.currency, o.customer,"
         " o.created_at, o.updated_at FROM (SELECT created_at, id" +
         rows + fmt::format(" ORDER BY created_at DESC, id DESC LIMIT ${} OFFSET ${}) shown", next, next + 1) +
         " JOIN orders o ON o.tenant_id = $1 AND o.id = shown.id ORDER BY shown.created_at DESC, shown.id DESC";
}

std::string total_sql(const Filters& filters) {
  int next = 0;
  return "SELECT COUNT(*)" + matching_rows(filters, next);
}

struct Statements {
  Sql first_page, page, total;
  explicit Statements(const Filters& filters)
      : first_page(first_page_sql(filters)), page(page_sql(filters)), total(total_sql(filters)) {}
};

const Statements& statements_for(const OpenOrdersQuery& query) {
  static const auto all = [] {
    std::deque<Statements> made;  // engines know a statement by its address, which a deque keeps
    for (std::size_t bits = 0; bits < Filters::combinations; ++bits) made.emplace_back(Filters(bits));
    return made;
  }();
  return all[Filters(query).bits()];
}

OpenOrder read_open_order(const Row& row) {
  return {.id = Column<OrderId>::read(row, 0),
          .order_number = Column<std::string>::read(row, 1),
          .status = Column<OrderStatus>::read(row, 2),
          .shipping_status = Column<OrderShippingStatus>::read(row, 3),
          .total_cents = Column<Cents>::read(row, 4),
          .currency = Column<Currency>::read(row, 5),
          .customer_name = Column<OrderCustomer>::read(row, 6).name,
          .created_at = Column<Instant>::read(row, 7),
          .updated_at = Column<Instant>::read(row, 8)};
}

}  // namespace

static const Sql counts_sql(
    "SELECT status, CAST(SUM(orders) AS bigint) FROM order_counters WHERE tenant_id = $1 GROUP BY status");

Select<StatusCount> order_counts(const TenantId& tenant) {
  return {{&counts_sql, params(tenant)}, [](const Row& row) {
            return StatusCount{Column<OrderStatus>::read(row, 0), row.integer(1)};
          }};
}

Select<OpenOrder> open_orders(const TenantId& tenant, const OpenOrdersQuery& query) {
  const std::int64_t size = query.page_size.value, page = query.page.value;
  std::vector<Value> values = values_for(tenant, query);
  values.emplace_back(size);
  if (page == 1 && !Filters(query).search) {
    return {{&statements_for(query).first_page, std::move(values)}, read_open_order};
  }
  values.emplace_back((page - 1) * size);
  return {{&statements_for(query).page, std::move(values)}, read_open_order};
}

bool is_counted(const OpenOrdersQuery& query) {
  const Filters filters(query);
  return !filters.search && !filters.range;
}

Select<std::int64_t> count_open_orders(const TenantId& tenant, const OpenOrdersQuery& query) {
  return {{&statements_for(query).total, values_for(tenant, query)}, [](const Row& row) { return row.integer(0); }};
}

}  // namespace guildhall
