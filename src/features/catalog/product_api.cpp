#include "features/catalog/offered_roles.h"
#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "features/catalog/routes.h"
#include "features/resource.h"
#include "features/tenancy/shop_defaults.h"

namespace guildhall {
namespace {

void check_new_product(Tx& tx, const api::Call& call, const NewProduct& input) {
  require_offered_roles(tx, *call.caller, call.tenant, input.record.granted_role_ids);
}

void edit_product(Tx& tx, const api::Call& call, Product& product, FunctionRef<void(ProductOfShop&)> apply_patch) {
  const std::vector<std::string> granted_before = product.granted_role_ids;
  ProductOfShop changed{product, read_shop_defaults(tx, call.tenant).currency};
  apply_patch(changed);
  if (product.granted_role_ids == granted_before) return;
  require_offered_roles(tx, *call.caller, call.tenant, product.granted_role_ids);
}

constexpr Resource<NewProduct, ProductPatch, ProductQuery, ProductOfShop> product_resource{
    .path = "/api/data/product",
    .noun = "product",
    .records = product_records,
    .listing = product_listing,
    .create = create_product,
    .change = change_product,
    .erase = delete_product,
    .before_create = check_new_product,
    .edit = edit_product,
};

}  // namespace

std::vector<api::Route> product_routes(Database& db, const Events& events) {
  return product_resource.routes(db, events);
}

}  // namespace guildhall
