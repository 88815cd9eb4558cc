#include "features/discounts/discount_api.h"

#include "features/discounts/discount_actions.h"
#include "features/discounts/discount_store.h"
#include "http/page.h"
#include "http/write_once.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

DiscountId id_of(const Call& call) {
  return DiscountId(call.param(0));
}

Task<Reply> create(Call& call, Database& db) {
  const auto input = call.body<NewDiscount>();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(201, create_discount(tx, call.tenant, call.actor(), input, call.now));
  });
}

Task<Reply> find(Call& call, Database& db) {
  const auto discount = co_await db.one(discount_by_id(call.tenant, id_of(call)));
  if (!discount) throw not_found("Discount");
  co_return http::record_reply(200, *discount);
}

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<http::ListQuery>();
  auto rows = co_await db.all(discounts_after(call.tenant, http::position_of(query), query.size() + 1));
  co_return http::json_reply(200, http::page_of(std::move(rows), query.size()));
}

Task<Reply> patch(Call& call, Database& db) {
  const auto changes = call.body<DiscountPatch>();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(
        200, change_discount(tx, call.tenant, call.actor(), id_of(call), call.now, [&](Discount& discount) {
          call.require_match(discount.version);
          apply(changes, discount);
        }));
  });
}

Task<Reply> erase(Call& call, Database& db) {
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    delete_discount(tx, call.tenant, call.actor(), id_of(call), call.now,
                    [&](const Discount& discount) { call.require_match(discount.version); });
    return http::no_content();
  });
}

}  // namespace

std::vector<http::Route> discount_routes(Database& db) {
  constexpr std::string_view all = "/api/data/discount", one = "/api/data/discount/:id";
  return {
      route(Method::post, all, Access::data_write, "Create a discount", create, db)
          .takes<NewDiscount>()
          .gives<Discount>(201, "The new discount."),
      route(Method::get, all, Access::data_read, "A page of discounts, newest first", list, db)
          .takes_query<http::ListQuery>()
          .gives<http::Page<Discount>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One discount", find, db).gives<Discount>(200, "The discount."),
      route(Method::patch, one, Access::data_write, "Change a discount", patch, db)
          .takes<DiscountPatch>()
          .gives<Discount>(200, "The changed discount."),
      route(Method::del, one, Access::data_write, "Delete a discount", erase, db).gives(204, "It is gone."),
  };
}

}  // namespace guildhall
