#include "features/catalog/product_actions.h"

#include "features/catalog/product_store.h"
#include "features/media/media_store.h"
#include "features/tenancy/shop_defaults.h"
#include "storage/metadata_index.h"
#include "storage/record.h"

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
  index_metadata<Product>(context.tx, "products", nullptr, &product);
  context.audit_created({"product", product.id.text()}, product);
  context.emit(ProductCreated{product});
  return product;
}

Product change_product(const ActionContext& context, const ProductId& id, FunctionRef<void(Product&)> edit) {
  auto product = context.tx.one(product_by_id(context.tenant, id));
  if (!product) throw not_found("Product");
  const Product before = *product;
  edit(*product);
  if (!needs_write(before, *product)) return before;
  product->updated_at = context.now;
  update_product(context.tx, *product);
  index_metadata(context.tx, "products", &before, &*product);
  context.audit_change({"product", id.text()}, &before, &*product);
  emit_changes(context, before, *product);
  return std::move(*product);
}

void delete_product(const ActionContext& context, const ProductId& id, FunctionRef<void(const Product&)> precondition) {
  const auto product = context.tx.one(product_by_id(context.tenant, id));
  if (!product) throw not_found("Product");
  precondition(*product);
  erase_product(context.tx, *product);
  index_metadata<Product>(context.tx, "products", &*product, nullptr);
  if (product->image) forget_picture(context.tx, context.tenant, *product->image, context.now);
  context.audit_deleted({"product", id.text()}, *product);
  context.emit(ProductDeleted{*product});
}

}  // namespace guildhall
