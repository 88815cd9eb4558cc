#include "features/catalog/product.h"

#include "base/text.h"

namespace guildhall {

std::string search_text_of(const Product& product) {
  return search_text({product.sku, product.name, product.description.value_or("")});
}

Product product_from(const NewProduct& input, Currency shop_currency, const TenantId& tenant, Instant now) {
  Product product{.id = ProductId::make(now),
                  .tenant_id = tenant,
                  .name = input.name,
                  .description = input.description,
                  .sku = input.sku,
                  .price_cents = input.price_cents,
                  .currency = input.currency.value_or(shop_currency),
                  .required_role_ids = input.required_role_ids.value,
                  .granted_role_ids = input.granted_role_ids.value,
                  .is_digital = input.is_digital,
                  .is_active = input.is_active,
                  .inventory_tracked = input.inventory_tracked,
                  .stock_quantity = std::nullopt,
                  .image = std::nullopt,
                  .membership = input.membership,
                  .metadata = metadata_from(input.metadata),
                  .created_at = now,
                  .updated_at = now,
                  .version = {1}};
  if (input.stock_quantity) product.stock_quantity = input.stock_quantity->value;
  product.search_text = {search_text_of(product)};
  return product;
}

// A field that is null gets its default again.
void apply(const ProductPatch& patch, ProductOfShop& changed) {
  Product& product = changed.product;
  const auto set = [](const auto& change, auto& target, auto fallback) {
    if (change) target = (*change).value_or(fallback);
  };
  patch.name.apply_to(product.name);
  patch.description.apply_to(product.description);
  patch.sku.apply_to(product.sku);
  patch.price_cents.apply_to(product.price_cents);
  set(patch.currency, product.currency, changed.shop_currency);
  set(patch.required_role_ids, product.required_role_ids, KeyList());
  set(patch.granted_role_ids, product.granted_role_ids, KeyList());
  set(patch.is_digital, product.is_digital, false);
  set(patch.is_active, product.is_active, true);
  set(patch.inventory_tracked, product.inventory_tracked, true);
  if (patch.stock_quantity) {
    product.stock_quantity.reset();
    if (*patch.stock_quantity) product.stock_quantity = (*patch.stock_quantity)->value;
  }
  patch.membership.apply_to(product.membership);
  apply(patch.metadata, product.metadata);
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
