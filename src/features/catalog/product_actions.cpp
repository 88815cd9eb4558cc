#include "features/catalog/product_actions.h"

#include "features/media/media_store.h"
#include "features/tenancy/shop_defaults.h"

namespace guildhall {

void emit_stock_change(const ActionContext& context, const StockPayload& stock, std::int64_t before) {
  const std::int64_t after = stock.stock_quantity;
  if (after == 0 && before > 0) context.emit(StockOut{stock});
  if (after > 0 && after <= low_stock_max && before > low_stock_max) context.emit(StockLow{stock});
  if (after > 0 && before == 0) context.emit(StockBack{stock});
}

static void emit_changes(const ActionContext& context, const Product& before, const Product& after) {
  context.emit(ProductUpdated{after});
  const auto had = payload_of(before).stock_quantity, has = payload_of(after).stock_quantity;
  if (had && has) emit_stock_change(context, {after.id.text(), after.name, after.sku, *has}, *had);
}

Product create_product(const ActionContext& context, const NewProduct& input) {
  Product product = input.made(context.tenant, context.now);
  if (!input.gives<&Product::currency>()) product.currency = read_shop_defaults(context.tx, context.tenant).currency;
  product.search_text = {search_text_of(product)};
  insert_product(context.tx, product);
  product_records.note(context, nullptr, &product);
  context.emit(ProductCreated{product});
  return product;
}

// The free keys are the stock of a product that has a pool of keys (features/delivery).
static void require_stock_of_keys(const Product& before, const Product& after) {
  if (before.delivers != Delivers::KEYS || after.delivers != Delivers::KEYS) return;
  if (after.membership) throw bad_request("KEYS_OF_A_MEMBERSHIP", "A membership has no pool of keys.");
  if (before.inventory_tracked == after.inventory_tracked && before.stock_quantity == after.stock_quantity) return;
  throw bad_request("STOCK_IS_KEYS", "The stock of this product is the number of its free keys.");
}

Product change_product(const ActionContext& context, const ProductId& id, FunctionRef<void(Product&)> edit) {
  const auto checked_edit = [&](Product& product) {
    const Product before = product;
    edit(product);
    require_stock_of_keys(before, product);
  };
  return product_records.change(context, id, checked_edit, [&](const Product& before, const Product& after) {
    emit_changes(context, before, after);
  });
}

void delete_product(const ActionContext& context, const ProductId& id, FunctionRef<void(const Product&)> precondition) {
  const Product product = product_records.erase(context, id, precondition);
  if (product.image) forget_picture(context.tx, context.tenant, *product.image, context.now);
  context.emit(ProductDeleted{product});
}

}  // namespace guildhall
