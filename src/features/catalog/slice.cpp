#include "features/slice.h"

#include "features/catalog/product_events.h"
#include "features/catalog/routes.h"

namespace guildhall {

Slice catalog_slice() {
  return Slice("catalog")
      .table({.name = "products",
              .other = "name description sku currency required_role_ids granted_role_ids image search_text "
                       "membership metadata delivers",
              .metadata = "true"})
      .routes(product_routes)
      .routes(product_image_routes)
      .events<ProductCreated, ProductUpdated, ProductDeleted, StockLow, StockOut, StockBack>();
}

}  // namespace guildhall
