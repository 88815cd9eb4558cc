#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/declared.h"

// The events of products, and the payloads with which they leave the process.
namespace guildhall {

struct Product;

struct ProductPayload {
  std::string product_id;
  std::string name;
  std::string sku;
  std::int64_t price_cents = 0;
  std::string currency;
  bool is_active = true;
  std::optional<std::int64_t> stock_quantity;  // null: not counted
};
BOOST_DESCRIBE_STRUCT(ProductPayload, (), (product_id, name, sku, price_cents, currency, is_active, stock_quantity))

ProductPayload payload_of(const Product& product);

struct ProductCreated {
  static constexpr std::string_view name = "product.created";
  const Product& product;
  ProductPayload payload() const { return payload_of(product); }
};

// Changed by a person or a program. An order that takes from the stock does not emit it.
struct ProductUpdated {
  static constexpr std::string_view name = "product.updated";
  const Product& product;
  ProductPayload payload() const { return payload_of(product); }
};

struct ProductDeleted {
  static constexpr std::string_view name = "product.deleted";
  const Product& product;
  ProductPayload payload() const { return payload_of(product); }
};

// The stock of a product after a change.
struct StockPayload {
  std::string product_id;
  std::string name;
  std::string sku;
  std::int64_t stock_quantity = 0;
};
BOOST_DESCRIBE_STRUCT(StockPayload, (), (product_id, name, sku, stock_quantity))

// The stock has become low, but is not out.
struct StockLow {
  static constexpr std::string_view name = "product.low_stock";
  const StockPayload& stock;
  const StockPayload& payload() const { return stock; }
};

struct StockOut {
  static constexpr std::string_view name = "product.out_of_stock";
  const StockPayload& stock;
  const StockPayload& payload() const { return stock; }
};

// There are pieces again after there were none.
struct StockBack {
  static constexpr std::string_view name = "product.back_in_stock";
  const StockPayload& stock;
  const StockPayload& payload() const { return stock; }
};

}  // namespace guildhall
