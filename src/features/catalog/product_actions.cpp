#include "features/catalog/product_actions.h"

#include "audit/audit.h"
#include "features/catalog/product_store.h"
#include "features/media/media_store.h"
#include "storage/record.h"

namespace guildhall {

Product create_product(Tx& tx, const TenantId& tenant, const Actor& actor, const NewProduct& input, Instant now) {
  Product product = product_from(input, tenant, now);
  insert_product(tx, product);
  audit_change<Product>(tx, tenant, actor, {"product", product.id.text()}, nullptr, &product, now);
  return product;
}

Product change_product(Tx& tx, const TenantId& tenant, const Actor& actor, const ProductId& id, Instant now,
                       FunctionRef<void(Product&)> edit) {
  auto product = tx.one(product_by_id(tenant, id));
  if (!product) throw not_found("Product");
  const Product before = *product;
  edit(*product);
  if (!needs_write(before, *product)) return before;
  product->updated_at = now;
  update_product(tx, *product);
  audit_change(tx, tenant, actor, {"product", id.text()}, &before, &*product, now);
  return std::move(*product);
}

void delete_product(Tx& tx, const TenantId& tenant, const Actor& actor, const ProductId& id, Instant now,
                    FunctionRef<void(const Product&)> precondition) {
  const auto product = tx.one(product_by_id(tenant, id));
  if (!product) throw not_found("Product");
  precondition(*product);
  erase_product(tx, *product);
  if (product->image) forget_picture(tx, tenant, *product->image, now);
  audit_change<Product>(tx, tenant, actor, {"product", id.text()}, &*product, nullptr, now);
}

}  // namespace guildhall
