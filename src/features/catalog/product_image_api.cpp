#include "api/resource.h"
#include "features/action.h"
#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "features/catalog/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

ProductId product_of_image(const Call& call) {
  return ProductId(call.param(0));
}

Product change_image(Tx& tx, const Events& events, const Call& call, FunctionRef<void(Product&)> edit) {
  return change_product(action_of(call, tx, events), product_of_image(call), [&](Product& product) {
    call.require_match(product.version);
    edit(product);
  });
}

// The product is looked up first, so that no picture is converted for nothing.
Task<Reply> put(Call& call, Database& db, const Events& events, const Media& media) {
  const auto product = co_await db.one(product_by_id(call.tenant, product_of_image(call)));
  if (!product) throw not_found("Product");
  call.require_match(product->version);
  const NewPicture picture = co_await media.convert(call.tenant, call.request.body, call.now);
  const auto write = [&](Tx& tx) {
    return change_image(tx, events, call,
                        [&](Product& changed) { media.replace(tx, call.tenant, changed.image, picture, call.now); });
  };
  co_return co_await media.finish(picture, api::write_record(call, db, 200, write));
}

Task<Reply> delete_image(Call& call, Database& db, const Events& events) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    change_image(tx, events, call, [&](Product& product) {
      if (product.image) forget_picture(tx, call.tenant, *product.image, call.now);
      product.image.reset();
    });
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> product_image_routes(Database& db, const Events& events, const Media& media) {
  constexpr std::string_view image = "/api/data/product/:id/image";
  return {
      route(Method::put, image, Access::data_write, "Set a product's picture", put, db, events, media)
          .takes_bytes(picture_media_types(), picture_bytes_max)
          .gives<Product>(200, "The product with its picture."),
      route(Method::del, image, Access::data_write, "Delete a product's picture", delete_image, db, events)
          .gives(204, "The product has no picture."),
  };
}

}  // namespace guildhall
