#include "features/discounts/discount_actions.h"
#include "features/discounts/discount_store.h"
#include "features/discounts/routes.h"
#include "features/resource.h"

namespace guildhall {

static constexpr Resource<NewDiscount, DiscountPatch, DiscountQuery> discount_resource{
    .path = "/api/data/discount",
    .noun = "discount",
    .records = discount_records,
    .listing = discount_listing,
    .create = create_discount,
    .erase = delete_discount,
};

std::vector<api::Route> discount_routes(Database& db, const Events& events) {
  return discount_resource.routes(db, events);
}

}  // namespace guildhall
