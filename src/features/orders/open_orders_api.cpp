#include "base/text.h"
#include "features/orders/open_orders.h"
#include "features/orders/routes.h"

namespace guildhall {

// Its keys are the names of the statuses, so its codec is written by hand.
struct OpenCounts {
  std::array<std::int64_t, 4> orders{};

  static std::string_view key(std::size_t i) { return name_of(static_cast<OpenOrderStatus>(i)); }
};

template <>
struct Codec<OpenCounts> : PlainCodec {
  static void decode(JsonValue, OpenCounts&, Decoder&) {}  // never part of a request
  static void encode(std::string& out, const OpenCounts& counts) {
    json::ObjectWriter object(out);
    for (std::size_t i = 0; i < counts.orders.size(); ++i) object.add(OpenCounts::key(i), counts.orders[i]);
  }
  static void schema(Schema& schema) {
    json::ObjectWriter type(schema.out);
    type.add("type", "object");
    std::vector<std::string> required;
    {
      json::ObjectWriter properties(type.key("properties"));
      for (std::size_t i = 0; i < OpenCounts{}.orders.size(); ++i) {
        properties.add(OpenCounts::key(i), json::object({{"type", "integer"}, {"minimum", 0}}));
        required.emplace_back(OpenCounts::key(i));
      }
    }
    type.add("required", required);
  }
};

struct OpenSummary {
  std::int64_t total_open = 0;
  OpenCounts by_status;
};
BOOST_DESCRIBE_STRUCT(OpenSummary, (), (total_open, by_status))

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t rows_on_the_loop_max = 1000;
constexpr std::size_t name_characters_max = 200;  // per row, so that 200 rows stay below 4 MiB

Reply page_reply(OpenOrdersPage page) {
  for (OpenOrder& order : page.items)
    order.customer_name = cut_text(std::move(order.customer_name), name_characters_max);
  return api::json_reply(200, page);
}

Task<OpenSummary> counted(Database& db, const TenantId& tenant) {
  OpenSummary summary;
  for (const StatusCount& count : co_await db.all(order_counts(tenant))) {
    if (!is_open(count.status)) continue;
    summary.by_status.orders[static_cast<std::size_t>(count.status)] = count.orders;
    summary.total_open += count.orders;
  }
  co_return summary;
}

// A page that is not full gives the total without a second query. An empty page after the last one does not.
bool is_last(const OpenOrdersPage& page) {
  return std::ssize(page.items) < page.page_size && (page.page == 1 || !page.items.empty());
}

Task<Reply> list_open_orders(Call& call, Database& db) {
  const auto query = call.query<OpenOrdersQuery>();
  OpenOrdersPage page{.items = {}, .page = query.page.value, .page_size = query.page_size.value, .total = 0};
  if (is_counted(query)) {
    const OpenSummary summary = co_await counted(db, call.tenant);
    page.total = query.status ? summary.by_status.orders[static_cast<std::size_t>(*query.status)] : summary.total_open;
    // A late page reads the index entries of all earlier pages, which would block the loop.
    if (page.page * page.page_size > rows_on_the_loop_max) {
      page.items = co_await db.read_to_show([&](Tx& tx) { return tx.all(open_orders(call.tenant, query)); });
    } else {
      page.items = co_await db.all(open_orders(call.tenant, query));
    }
    co_return page_reply(std::move(page));
  }
  // A search reads the index entries of all open orders of the tenant, which would block the loop.
  co_return page_reply(co_await db.read_to_show([&](Tx& tx) {
    OpenOrdersPage found = page;
    found.items = tx.all(open_orders(call.tenant, query));
    found.total = is_last(found) ? std::ssize(found.items) + (found.page - 1) * found.page_size
                                 : tx.one(count_open_orders(call.tenant, query)).value();
    return found;
  }));
}

Task<Reply> summary(Call& call, Database& db) {
  co_return api::json_reply(200, co_await counted(db, call.tenant));
}

}  // namespace

std::vector<api::Route> open_order_routes(Database& db) {
  return {
      route(Method::get, "/api/data/order/open", Access::admin, "Open orders, newest first", list_open_orders, db)
          .takes_query<OpenOrdersQuery>()
          .gives<OpenOrdersPage>(200, "The page, and how many there are in all."),
      route(Method::get, "/api/data/order/open/summary", Access::admin, "How many orders are open", summary, db)
          .gives<OpenSummary>(200, "The counts by status."),
  };
}

}  // namespace guildhall
