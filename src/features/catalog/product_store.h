#pragma once

#include <span>

#include "api/list.h"
#include "base/job_failures.h"
#include "features/catalog/product.h"
#include "storage/metadata_index.h"
#include "storage/storage.h"

// All SQL of products and their stock. Every function takes the tenant.
namespace guildhall {

Select<Product> product_by_id(const TenantId& tenant, const ProductId& id);
Select<Product> product_by_sku(const TenantId& tenant, const std::string& sku);

enum class ProductKind { digital, physical };
BOOST_DESCRIBE_ENUM(ProductKind, digital, physical)

enum class StockLevel {
  low,  // at most five pieces, or none
  out,  // none
};
BOOST_DESCRIBE_ENUM(StockLevel, low, out)

struct ProductQuery : api::ListParams {
  Search<"search_text", "A part of the name, SKU or description, in any case."> search;
  Where<ProductKind, "is_digital = (:type = 'digital')", "Digital or physical products."> type;
  Where<StockLevel,
        "inventory_tracked AND stock_quantity IS NOT NULL"
        " AND stock_quantity <= (CASE WHEN :stock = 'out' THEN 0 ELSE 5 END)",
        "Products whose counted stock is low (five pieces or fewer) or out (none).">
      stock;
  Is<bool, "Products that are for sale, or those that are not."> is_active;
  Where<bool, "(membership IS NOT NULL) = :is_membership", "Products that are memberships, or those that are not.">
      is_membership;
  Is<std::string, "The product with this SKU."> sku;
  From<Instant, "created_at", "Created at this time or later."> created_from;
  To<Instant, "created_at", "Created at this time or earlier."> created_to;
  From<Cents, "price_cents", "The price is this amount or more."> price_min;
  To<Cents, "price_cents", "The price is this amount or less."> price_max;
  HasMetadata<"products"> metadata;
  SortBy<"createdAt", "priceCents", "sku"> sort;
};
BOOST_DESCRIBE_STRUCT(ProductQuery, (api::ListParams),
                      (search, type, stock, is_active, is_membership, sku, created_from, created_to, price_min,
                       price_max, metadata, sort))

const Listing& product_listing();

// Fills the search text of some products from before there was one. Returns their number.
std::int64_t fill_product_search(Tx& tx, const JobFailures& failures);

// A page of the products that are for sale, after the position, newest first.
Select<Product> offered_products_after(const TenantId& tenant, const Position& position, std::int64_t limit);

// The tenant's products with these ids; ids that the tenant does not have are left out. The functions named `…_ahead`
// announce the reads of the function after them (Tx::read_ahead).
void products_ahead(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);
std::vector<Product> products_of(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);

// The products of an order, and the currency of an order that names none.
struct ShopProducts {
  std::vector<OrderedProduct> products;
  Currency shop_currency;
};
void ordered_products_ahead(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);
ShopProducts ordered_products(Tx& tx, const TenantId& tenant, std::span<const ProductId> ids);

// Throws SKU_TAKEN.
void insert_product(Tx& tx, const Product& product);

// Updates the record and increments its version. Throws WriteRace if it was changed since it was read, and SKU_TAKEN.
void update_product(Tx& tx, Product& product);

// Throws WriteRace if the record was changed since it was read.
void erase_product(Tx& tx, const Product& product);

// Reduces the stock of a product that ordered_products() has returned with a counted stock, never below zero. Throws
// OUT_OF_STOCK. The transaction fails with WriteRace if meanwhile the stock became too low or is no longer counted.
// Returns the stock afterwards if it may have become low; otherwise the change is deferred, so that the row is locked
// briefly.
std::optional<StockPayload> take_stock(Tx& tx, const TenantId& tenant, const OrderedProduct& product,
                                       std::int64_t quantity, Instant now);

// Returns pieces to the stock, which stays at most safe_integer_max. Does nothing if the product was deleted or its
// stock is no longer counted; otherwise it returns the stock afterwards.
// Nothing if the stock of the product was not that of keys when it was taken and is now, or the other way round.
std::optional<StockPayload> give_back_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t quantity,
                                            bool of_keys, Instant now);

// Adds keys to the stock of a product that delivers KEYS, or takes some out of it. Nothing if it has fewer.
std::optional<StockPayload> change_key_stock(Tx& tx, const TenantId& tenant, const ProductId& id, std::int64_t by,
                                             Instant now);

}  // namespace guildhall
