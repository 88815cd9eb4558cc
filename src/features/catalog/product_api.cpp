#include "api/resource.h"
#include "features/action.h"
#include "features/catalog/offered_roles.h"
#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "features/catalog/routes.h"
#include "features/tenancy/shop_defaults.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

ProductId id_of(const Call& call) {
  return ProductId(call.param(0));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  return api::create_one<NewProduct>(call, db, [&](Tx& tx, const NewProduct& input) {
    require_offered_roles(tx, *call.caller, call.tenant, input.record.granted_role_ids);
    return create_product(action_of(call, tx, events), input);
  });
}

Task<Reply> find(Call& call, Database& db) {
  return api::find_one(db, product_by_id(call.tenant, id_of(call)), "Product");
}

Task<Reply> list(Call& call, Database& db) {
  return api::list_records<ProductQuery, Product>(call, db, product_listing());
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  return api::patch_one<ProductPatch>(call, db, [&](Tx& tx, const auto& edit) {
    return change_product(action_of(call, tx, events), id_of(call), [&](Product& product) {
      const std::vector<std::string> granted_before = product.granted_role_ids;
      ProductOfShop changed{product, read_shop_defaults(tx, call.tenant).currency};
      edit(changed);
      if (product.granted_role_ids == granted_before) return;
      require_offered_roles(tx, *call.caller, call.tenant, product.granted_role_ids);
    });
  });
}

Task<Reply> erase(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_product(action_of(call, tx, events), id_of(call), precondition);
  });
}

}  // namespace

std::vector<api::Route> product_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/product", one = "/api/data/product/:id";
  return {
      route(Method::post, all, Access::data_write, "Create a product", create, db, events)
          .takes<NewProduct>()
          .gives<Product>(201, "The new product."),
      route(Method::get, all, Access::data_read, "A page of products, newest first", list, db)
          .takes_query<ProductQuery>()
          .gives<api::ListPage<Product>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One product", find, db).gives<Product>(200, "The product."),
      route(Method::patch, one, Access::data_write, "Change a product", patch, db, events)
          .takes<ProductPatch>()
          .gives<Product>(200, "The changed product."),
      route(Method::del, one, Access::data_write, "Delete a product", erase, db, events).gives(204, "It is gone."),
  };
}

}  // namespace guildhall
