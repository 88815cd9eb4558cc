#include "features/catalog/product.h"

#include "base/text.h"

namespace guildhall {

std::string search_text_of(const Product& product) {
  return search_text({product.sku, product.name, product.description.value_or("")});
}

void apply(const ProductPatch& patch, ProductOfShop& changed) {
  Product& product = changed.product;
  patch.apply_to(product);
  if (patch.clears<&Product::currency>()) product.currency = changed.shop_currency;
  product.search_text = {search_text_of(product)};
}

bool may_buy(const Product& product, const std::vector<std::string>& role_ids) {
  const auto& required = product.required_role_ids;
  return required.empty() ||
         std::find_first_of(required.begin(), required.end(), role_ids.begin(), role_ids.end()) != required.end();
}

bool in_stock(const Product& product) {
  return !product.inventory_tracked || !product.stock_quantity || *product.stock_quantity > 0;
}

ProductPayload payload_of(const Product& product) {
  return {.product_id = product.id.text(),
          .name = product.name,
          .sku = product.sku,
          .price_cents = product.price_cents.value(),
          .currency = std::string(product.currency.code()),
          .is_active = product.is_active,
          .stock_quantity = product.inventory_tracked ? product.stock_quantity : std::nullopt};
}

Failure sku_taken() {
  return bad_request("SKU_TAKEN", "Another product has this sku already.");
}

Failure out_of_stock(const ProductId& product) {
  return bad_request("OUT_OF_STOCK", fmt::format("There is not enough of product {} in stock.", product.text()));
}

}  // namespace guildhall
