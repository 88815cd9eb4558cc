#include "features/catalog/product_api.h"

#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "http/page.h"
#include "http/write_once.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

ProductId id_of(const Call& call) {
  return ProductId(call.param(0));
}

Task<Reply> create(Call& call, Database& db) {
  const auto input = call.body<NewProduct>();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(201, create_product(tx, call.tenant, call.actor(), input, call.now));
  });
}

Task<Reply> find(Call& call, Database& db) {
  const auto product = co_await db.one(product_by_id(call.tenant, id_of(call)));
  if (!product) throw not_found("Product");
  co_return http::record_reply(200, *product);
}

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<http::ListQuery>();
  auto rows = co_await db.all(products_after(call.tenant, http::position_of(query), query.size() + 1));
  co_return http::json_reply(200, http::page_of(std::move(rows), query.size()));
}

Task<Reply> patch(Call& call, Database& db) {
  const auto changes = call.body<ProductPatch>();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(
        200, change_product(tx, call.tenant, call.actor(), id_of(call), call.now, [&](Product& product) {
          call.require_match(product.version);
          apply(changes, product);
        }));
  });
}

Task<Reply> erase(Call& call, Database& db) {
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    delete_product(tx, call.tenant, call.actor(), id_of(call), call.now,
                   [&](const Product& product) { call.require_match(product.version); });
    return http::no_content();
  });
}

}  // namespace

std::vector<http::Route> product_routes(Database& db) {
  constexpr std::string_view all = "/api/data/product", one = "/api/data/product/:id";
  return {
      route(Method::post, all, Access::data_write, "Create a product", create, db)
          .takes<NewProduct>()
          .gives<Product>(201, "The new product."),
      route(Method::get, all, Access::data_read, "A page of products, newest first", list, db)
          .takes_query<http::ListQuery>()
          .gives<http::Page<Product>>(200, "The page."),
      route(Method::get, one, Access::data_read, "One product", find, db).gives<Product>(200, "The product."),
      route(Method::patch, one, Access::data_write, "Change a product", patch, db)
          .takes<ProductPatch>()
          .gives<Product>(200, "The changed product."),
      route(Method::del, one, Access::data_write, "Delete a product", erase, db).gives(204, "It is gone."),
  };
}

}  // namespace guildhall
