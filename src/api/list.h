#pragma once

#include "api/call.h"
#include "api/list_params.h"
#include "api/page.h"
#include "base/task.h"
#include "storage/encoded_row.h"

// Lists with filters, orders and cursors. The query of a list is a declared struct that begins with ListParams and has
// filters of storage/filters.h and a member `sort`:
//
//   struct ShipmentQuery : api::ListParams { … SortBy<"createdAt"> sort; };
//   BOOST_DESCRIBE_STRUCT(ShipmentQuery, (api::ListParams), (…, sort))
namespace guildhall::api {

// A page of a list. The total is there if the query asks for it: exact up to 10,000, then 10,000 with totalIsAtLeast.
template <class T>
struct ListPage {
  std::vector<T> items;
  std::optional<std::string> next_cursor;  // null on the last page
  std::optional<std::int64_t> total;
  std::optional<bool> total_is_at_least;

  BOOST_DESCRIBE_CLASS(ListPage, (), (items, next_cursor, total, total_is_at_least), (), ())
};

// Whether any filter is set. The order is none.
template <std::derived_from<ListParams> Q>
bool has_filters(const Q& query) {
  return !values_of_filters(query).set.empty();
}

template <std::derived_from<ListParams> Q>
ListRequest list_request(const TenantId& tenant, const Q& query) {
  ListRequest request{tenant, values_of_filters(query), query.sort.index, query.sort.descending};
  if (query.cursor) request.after = query.cursor->place;
  return request;
}

// Appends the JSON of a row's record.
using AppendRow = void (*)(std::string& out, const Row& row);

// Reads a page inside a reading transaction, few rows at a time, so that large rows do not fill the memory.
std::string list_text(Tx& tx, const Listing& listing, const ListRequest& request, std::int64_t records_max,
                      std::string_view mark, const std::optional<ListTotal>& total, AppendRow append);

// GET of a page. `count(tx, request)` returns the total. It runs on another thread than the loop's, because up to 4 MiB
// are read and encoded.
template <std::derived_from<ListParams> Q, class Count>
Task<Reply> read_list(Database& db, const Listing& listing, const TenantId& tenant, Q query, AppendRow append,
                      Count count) {
  const ListRequest request = list_request(tenant, query);
  Reply reply;
  reply.body = co_await db.read_to_show([&](Tx& tx) {
    std::optional<ListTotal> total;
    if (query.total.value_or(false)) total = count(tx, request);
    return list_text(tx, listing, request, query.size(), list_mark(query), total, append);
  });
  co_return reply;
}

template <std::derived_from<ListParams> Q>
Task<Reply> read_list(Database& db, const Listing& listing, const TenantId& tenant, Q query, AppendRow append) {
  co_return co_await read_list(db, listing, tenant, query, append,
                               [&](Tx& tx, const ListRequest& request) { return listing.total(tx, request); });
}

// GET of a page of records in the request's tenant.
template <class Q, Declared Record>
Task<Reply> list_records(const Call& call, Database& db, const Listing& listing) {
  co_return co_await read_list(db, listing, call.tenant, call.query<Q>(), append_row_json<Record>);
}

}  // namespace guildhall::api
