#include "features/slice.h"

#include "features/discounts/routes.h"

namespace guildhall {

Slice discounts_slice() {
  return Slice("discounts")
      .table({.name = "discounts",
              .other = "code type currency scope lifecycle code_key metadata",
              .metadata = "deleted_at IS NULL"})
      .routes(discount_routes);
}

}  // namespace guildhall
