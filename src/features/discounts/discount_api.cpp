#include "api/resource.h"
#include "features/action.h"
#include "features/discounts/discount_actions.h"
#include "features/discounts/discount_store.h"
#include "features/discounts/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

DiscountId id_of(const Call& call) {
  return DiscountId(call.param(0));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  return api::create_one<NewDiscount>(
      call, db, [&](Tx& tx, const NewDiscount& input) { return create_discount(action_of(call, tx, events), input); });
}

Task<Reply> find(Call& call, Database& db) {
  return api::find_one(db, discount_by_id(call.tenant, id_of(call)), "Discount");
}

Task<Reply> list(Call& call, Database& db) {
  return api::list_records<DiscountQuery, Discount>(call, db, discount_listing());
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  return api::patch_one<DiscountPatch>(call, db, [&](Tx& tx, const auto& edit) {
    return change_discount(action_of(call, tx, events), id_of(call), edit);
  });
}

Task<Reply> erase(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_discount(action_of(call, tx, events), id_of(call), precondition);
  });
}

}  // namespace

std::vector<api::Route> discount_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/discount", one = "/api/data/discount/:id";
  return {
      route(Method::post, all, Access::data_write, "Create a discount", create, db, events)
          .takes<NewDiscount>()
          .gives<Discount>(201, "The new discount."),
      route(Method::get, all, Access::data_read, "A page of discounts, newest first", list, db)
          .takes_query<DiscountQuery>()
          .gives<api::ListPage<Discount>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One discount", find, db).gives<Discount>(200, "The discount."),
      route(Method::patch, one, Access::data_write, "Change a discount", patch, db, events)
          .takes<DiscountPatch>()
          .gives<Discount>(200, "The changed discount."),
      route(Method::del, one, Access::data_write, "Delete a discount", erase, db, events).gives(204, "It is gone."),
  };
}

}  // namespace guildhall
