#pragma once

#include "features/catalog/product_store.h"
#include "features/records.h"

// Actions on products, inside the caller's transaction.
namespace guildhall {

inline constexpr Records<Product> product_records{.name = "Product",
                                                  .subject = "product",
                                                  .by_id = product_by_id,
                                                  .update = update_product,
                                                  .remove = erase_product,
                                                  .table = "products"};

// Throws SKU_TAKEN.
Product create_product(const ActionContext& context, const NewProduct& input);

// Reads the product, calls `edit` to change it, and writes it back. `edit` may throw. Throws not_found, SKU_TAKEN,
// STOCK_IS_KEYS, KEYS_OF_A_MEMBERSHIP.
Product change_product(const ActionContext& context, const ProductId& id, FunctionRef<void(Product&)> edit);

// Deletes the product and its picture. Orders keep their copy of its data. `precondition` may throw. Throws not_found.
void delete_product(const ActionContext& context, const ProductId& id, FunctionRef<void(const Product&)> precondition);

// Emits the events of stock that has changed from `before`: that it is low, out or back.
void emit_stock_change(const ActionContext& context, const StockPayload& stock, std::int64_t before);

}  // namespace guildhall
