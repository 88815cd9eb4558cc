#pragma once

#include "base/actor.h"
#include "base/function_ref.h"
#include "features/catalog/product.h"
#include "storage/database.h"

// What can be done with products, inside the caller's transaction.
namespace guildhall {

// Throws SKU_TAKEN.
Product create_product(Tx& tx, const TenantId& tenant, const Actor& actor, const NewProduct& input, Instant now);

// Reads, lets `edit` change the record (or throw), and writes it back. Throws not_found, SKU_TAKEN.
Product change_product(Tx& tx, const TenantId& tenant, const Actor& actor, const ProductId& id, Instant now,
                       FunctionRef<void(Product&)> edit);

// Orders keep what they say about the product. `precondition` may throw. Throws not_found.
void delete_product(Tx& tx, const TenantId& tenant, const Actor& actor, const ProductId& id, Instant now,
                    FunctionRef<void(const Product&)> precondition);

}  // namespace guildhall
