#include "features/orders/open_orders.h"

#include "base/fold.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

// The same choice of rows for the page and for its total. Parameters: tenant, from, to, then status and search.
std::string chosen(bool by_status, bool by_search) {
  return std::string(" FROM orders WHERE tenant_id = $1 AND is_open AND created_at BETWEEN $2 AND $3") +
         (by_status ? " AND status = $4" : "") +
         (by_search ? fmt::format(R"( AND search LIKE ${} ESCAPE '\')", by_status ? 5 : 4) : "");
}

constexpr std::int64_t usual_page_size = 50;

// The first page of the usual size reads nothing that it does not show. Its length is part of the text: a plan for any
// length would look dear to PostgreSQL in a large shop, so that it would plan each time anew, for longer than it reads.
std::string first_page_sql(bool by_status) {
  return "SELECT id, order_number, status, shipping_status, total_cents, currency, customer, created_at, updated_at" +
         chosen(by_status, false) + fmt::format(" ORDER BY created_at DESC, id DESC LIMIT {}", usual_page_size);
}

// The index yields the page's ids; only those rows are then read, and none that are skipped or do not fit.
std::string page_sql(bool by_status, bool by_search) {
  const int next = 4 + (by_status ? 1 : 0) + (by_search ? 1 : 0);
  return "SELECT o.id, o.order_number, o.status, o.shipping_status, o.total_cents, o.currency, o.customer,"
         " o.created_at, o.updated_at FROM (SELECT created_at, id" +
         chosen(by_status, by_search) +
         fmt::format(" ORDER BY created_at DESC, id DESC LIMIT ${} OFFSET ${}) shown", next, next + 1) +
         " JOIN orders o ON o.tenant_id = $1 AND o.id = shown.id ORDER BY shown.created_at DESC, shown.id DESC";
}

struct Statements {
  Sql first_page, page, total;
  Statements(bool by_status, bool by_search)
      : first_page(first_page_sql(by_status)),
        page(page_sql(by_status, by_search)),
        total("SELECT COUNT(*)" + chosen(by_status, by_search)) {}
};

bool searches(const OpenOrdersQuery& query) {
  return query.search && !query.search->empty();
}

const Statements& statements_for(const OpenOrdersQuery& query) {
  static const Statements plain(false, false), by_status(true, false), by_search(false, true), by_both(true, true);
  return query.status ? (searches(query) ? by_both : by_status) : (searches(query) ? by_search : plain);
}

std::vector<Value> values_for(const TenantId& tenant, const OpenOrdersQuery& query) {
  std::vector<Value> values =
      params(tenant, query.created_from.value_or(Instant{INT64_MIN}), query.created_to.value_or(Instant{INT64_MAX}));
  if (query.status) values.emplace_back(std::string(name_of(*query.status)));
  if (searches(query)) values.emplace_back(contains_pattern(*query.search));
  return values;
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
  if (page == 1 && size == usual_page_size && !searches(query)) {
    return {{&statements_for(query).first_page, std::move(values)}, read_open_order};
  }
  values.emplace_back(size);
  values.emplace_back((page - 1) * size);
  return {{&statements_for(query).page, std::move(values)}, read_open_order};
}

bool is_counted(const OpenOrdersQuery& query) {
  return !searches(query) && !query.created_from && !query.created_to;
}

Select<std::int64_t> count_open_orders(const TenantId& tenant, const OpenOrdersQuery& query) {
  return {{&statements_for(query).total, values_for(tenant, query)}, [](const Row& row) { return row.integer(0); }};
}

}  // namespace guildhall
