#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/metadata.h"
#include "features/catalog/membership_terms.h"
#include "features/catalog/product_events.h"
#include "features/media/picture.h"

// A product of a shop, and its rules. Pure: no clock, no database.
namespace guildhall {

using StockQuantity = Bounded<0, safe_integer_max>;

constexpr std::int64_t low_stock_max = 5;  // as the filter of the list

struct Product {
  ProductId id;
  TenantId tenant_id;
  std::string name;
  std::optional<std::string> description;
  std::string sku;
  Cents price_cents;
  Currency currency;
  std::vector<std::string> required_role_ids;  // a member needs one of these to buy the product
  std::vector<std::string> granted_role_ids;   // given to a buyer
  bool is_digital = false;
  bool is_active = true;
  bool inventory_tracked = true;
  std::optional<std::int64_t> stock_quantity;  // null: not counted, even if tracked
  std::optional<Picture> image;                // changed by uploads only
  std::optional<MembershipTerms> membership;   // null: its roles are granted for good
  Metadata metadata{};
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::optional<std::string>> search_text{};  // name, SKU and description, for searches
};
BOOST_DESCRIBE_STRUCT(Product, (),
                      (id, tenant_id, name, description, sku, price_cents, currency, required_role_ids,
                       granted_role_ids, is_digital, is_active, inventory_tracked, stock_quantity, image, membership,
                       metadata, created_at, updated_at, version, search_text))

struct NewProduct {
  using Record = Product;
  Text<> name;
  std::optional<std::string> description;
  Key sku;
  Cents price_cents;
  std::optional<Currency> currency;  // null: the shop's
  Default<KeyList> required_role_ids{};
  Default<KeyList> granted_role_ids{};
  Default<bool> is_digital{false};
  Default<bool> is_active{true};
  Default<bool> inventory_tracked{true};
  std::optional<StockQuantity> stock_quantity;
  std::optional<MembershipTerms> membership;
  std::optional<MetadataChange> metadata;
};
BOOST_DESCRIBE_STRUCT(NewProduct, (),
                      (name, description, sku, price_cents, currency, required_role_ids, granted_role_ids, is_digital,
                       is_active, inventory_tracked, stock_quantity, membership, metadata))

struct ProductPatch {
  using Record = Product;
  Change<Text<>> name;
  Change<std::optional<std::string>> description;
  Change<Key> sku;
  Change<Cents> price_cents;
  Change<std::optional<Currency>> currency;
  Change<std::optional<KeyList>> required_role_ids;
  Change<std::optional<KeyList>> granted_role_ids;
  Change<std::optional<bool>> is_digital;
  Change<std::optional<bool>> is_active;
  Change<std::optional<bool>> inventory_tracked;
  Change<std::optional<StockQuantity>> stock_quantity;
  Change<std::optional<MembershipTerms>> membership;
  Change<std::optional<MetadataChange>> metadata;
};
BOOST_DESCRIBE_STRUCT(ProductPatch, (),
                      (name, description, sku, price_cents, currency, required_role_ids, granted_role_ids, is_digital,
                       is_active, inventory_tracked, stock_quantity, membership, metadata))

// The part of a product that an order is made from.
struct OrderedProduct {
  ProductId id;
  std::string name;
  std::string sku;
  Cents price_cents;
  Currency currency;
  std::optional<std::int64_t> stock{};  // null: not counted
};

std::string search_text_of(const Product& product);

Product product_from(const NewProduct& input, Currency shop_currency, const TenantId& tenant, Instant now);

// A product that is changed, with what null stands for.
struct ProductOfShop {
  Product& product;
  Currency shop_currency;
  const Hidden<std::int64_t>& version = product.version;
};
void apply(const ProductPatch& patch, ProductOfShop& changed);

// Whether a member with these roles may buy the product.
bool may_buy(const Product& product, const std::vector<std::string>& role_ids);

// Whether at least one piece is in stock. Always true if the stock is not counted.
bool in_stock(const Product& product);

Failure sku_taken();
Failure out_of_stock(const ProductId& product);

}  // namespace guildhall
