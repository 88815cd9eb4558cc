#pragma once

#include <span>

#include "api/page.h"
#include "features/catalog/product.h"
#include "storage/database.h"

// All SQL of products and their stock. Nothing here can be asked without a tenant.
namespace guildhall {

Select<Product> product_by_id(const TenantId& tenant, const ProductId& id);

// Newest first, after the position.
Select<Product> products_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// The same of those that are for sale.
Select<Product> offered_products_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// Those of the ids that the tenant has.
std::vector<Product> products_of(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);
// Those of them whose stock is counted.
std::vector<ProductId> counted_products(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);

// Throws SKU_TAKEN.
void insert_product(Tx& tx, const Product& product);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed, and
// SKU_TAKEN.
void update_product(Tx& tx, Product& product);

// Throws WriteRace if the record has changed since it was read.
void erase_product(Tx& tx, const Product& product);

// Takes from a counted stock, never below zero: throws OUT_OF_STOCK, or WriteRace if it is counted no longer.
void take_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity, Instant now);

// Gives back what was taken. A product that is gone or no longer counted takes nothing back.
void give_back_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity, Instant now);

}  // namespace guildhall
