#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_types.h"
#include "base/inputs.h"
#include "features/catalog/membership_terms.h"
#include "features/catalog/product_events.h"
#include "features/media/picture.h"

// A product of a shop, and its rules. Pure: no clock, no database.
namespace guildhall {

using StockQuantity = Bounded<0, safe_integer_max>;

constexpr std::int64_t low_stock_max = 5;  // as the filter of the list

// What buyers get besides roles (features/delivery).
enum class Delivers {
  NOTHING,
  CONTENT,  // links, texts, generated keys
  KEYS,     // also keys of a pool; those that are free are the stock
};
BOOST_DESCRIBE_ENUM(Delivers, NOTHING, CONTENT, KEYS)

constexpr std::int64_t delivered_units_max = 1'000;  // of all products that deliver something, in one order

struct Product {
  ProductId id;
  TenantId tenant_id;
  std::string name;
  std::optional<std::string> description;
  std::string sku;
  Cents price_cents;
  Currency currency;                           // a request without one: the shop's
  std::vector<std::string> required_role_ids;  // a member needs one of these to buy the product
  std::vector<std::string> granted_role_ids;   // given to a buyer
  bool is_digital = false;
  bool is_active = true;
  bool inventory_tracked = true;
  std::optional<std::int64_t> stock_quantity;  // null: not counted, even if tracked
  std::optional<Picture> image;                // changed by uploads only
  std::optional<MembershipTerms> membership;   // null: its roles are granted for good
  Delivers delivers = Delivers::NOTHING;
  Metadata metadata{};
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::optional<std::string>> search_text{};  // name, SKU and description, for searches
};
BOOST_DESCRIBE_STRUCT(Product, (),
                      (id, tenant_id, name, description, sku, price_cents, currency, required_role_ids,
                       granted_role_ids, is_digital, is_active, inventory_tracked, stock_quantity, image, membership,
                       delivers, metadata, created_at, updated_at, version, search_text))

using ProductInputs =
    Inputs<Required<&Product::name, Text<>>, Optional<&Product::description>, Required<&Product::sku, Key>,
           Required<&Product::price_cents>, Defaulted<&Product::currency>,
           Defaulted<&Product::required_role_ids, KeyList>, Defaulted<&Product::granted_role_ids, KeyList>,
           Defaulted<&Product::is_digital>, Defaulted<&Product::is_active>, Defaulted<&Product::inventory_tracked>,
           Optional<&Product::stock_quantity, StockQuantity>, Optional<&Product::membership>,
           Merged<&Product::metadata>>;
struct NewProduct : New<ProductInputs> {};
struct ProductPatch : Patch<ProductInputs> {};

// The part of a product that an order is made from.
struct OrderedProduct {
  ProductId id;
  std::string name;
  std::string sku;
  Cents price_cents;
  Currency currency;
  std::optional<std::int64_t> stock{};  // null: not counted
  Delivers delivers = Delivers::NOTHING;
};

std::string search_text_of(const Product& product);

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
