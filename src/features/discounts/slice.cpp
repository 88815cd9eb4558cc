#include "features/slice.h"

#include "features/discounts/routes.h"

namespace guildhall {

Slice discounts_slice() {
  return Slice("discounts").routes(discount_routes);
}

}  // namespace guildhall
