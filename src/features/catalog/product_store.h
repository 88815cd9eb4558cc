#pragma once

#include <span>

#include "api/page.h"
#include "features/catalog/product.h"
#include "storage/database.h"

// All SQL of products and their stock. Every function takes the tenant.
namespace guildhall {

Select<Product> product_by_id(const TenantId& tenant, const ProductId& id);

// A page after the position, newest first.
Select<Product> products_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// The same, of the products that are for sale.
Select<Product> offered_products_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// The tenant's products with these ids; ids that the tenant does not have are left out.
std::vector<Product> products_of(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);
// The same, of the part that an order needs.
std::vector<OrderedProduct> ordered_products(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);

// Throws SKU_TAKEN.
void insert_product(Tx& tx, const Product& product);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read, and SKU_TAKEN.
void update_product(Tx& tx, Product& product);

// Throws WriteRace if the record was changed since it was read.
void erase_product(Tx& tx, const Product& product);

// Reduces a counted stock, never below zero. Throws OUT_OF_STOCK, and WriteRace if the stock is no longer counted.
void take_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity, Instant now);

// Returns pieces to the stock. Does nothing if the product was deleted or its stock is no longer counted.
void give_back_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity, Instant now);

}  // namespace guildhall
