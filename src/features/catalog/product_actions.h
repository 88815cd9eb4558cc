#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/catalog/product.h"
#include "storage/database.h"

// Actions on products, inside the caller's transaction.
namespace guildhall {

// Throws SKU_TAKEN.
Product create_product(Tx& tx, const TenantId& tenant, const Actor& actor, const NewProduct& input, Instant now);

// Reads the product, calls `edit` to change it, and writes it back. `edit` may throw. Throws not_found, SKU_TAKEN.
Product change_product(Tx& tx, const TenantId& tenant, const Actor& actor, const ProductId& id, Instant now,
                       FunctionRef<void(Product&)> edit);

// Deletes the product and its picture. Orders keep their copy of its data. `precondition` may throw. Throws not_found.
void delete_product(Tx& tx, const TenantId& tenant, const Actor& actor, const ProductId& id, Instant now,
                    FunctionRef<void(const Product&)> precondition);

}  // namespace guildhall
