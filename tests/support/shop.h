#pragma once

#include <fmt/format.h>
#include <string>

#include "support/http_client.h"

// Bodies and calls that several tests of orders and products use.
namespace guildhall::test {

inline std::string item(const std::string& product, std::int64_t quantity, std::int64_t unit_price_cents) {
  return fmt::format(R"({{"productId":"{}","name":"Thing","sku":"T","quantity":{},"unitPriceCents":{}}})", product,
                     quantity, unit_price_cents);
}

// Returns the body of an order. `items` are the elements of a JSON list; `rest` begins with a comma.
inline std::string order_of(const std::string& number, const std::string& items, const std::string& rest = "") {
  return fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Ada"}},"items":[{}]{}}})", number, items, rest);
}

inline std::string created(HttpClient& shop, const std::string& resource, const std::string& body) {
  const HttpReply reply = shop.post("/api/data/" + resource, body);
  if (reply.status != 201) throw std::runtime_error("not created: " + reply.body);
  return reply.text("/id");
}

inline std::string product_with_stock(HttpClient& shop, const std::string& sku, std::int64_t stock) {
  return created(shop, "product",
                 fmt::format(R"({{"name":"Thing","sku":"{}","priceCents":100,"stockQuantity":{}}})", sku, stock));
}

inline std::int64_t stock_of(HttpClient& shop, const std::string& product) {
  return shop.get("/api/data/product/" + product).integer("/stockQuantity");
}

inline std::int64_t uses_of(HttpClient& shop, const std::string& discount) {
  return shop.get("/api/data/discount/" + discount).integer("/usageCount");
}

// Switches off all messages to buyers except those that memberships need.
inline void send_only_reminders(HttpClient& shop) {
  std::string kinds;
  for (const char* kind : {"ORDER_RECEIVED", "ORDER_PAID", "ROLE_GRANTED", "ROLE_DELAYED", "ORDER_REFUNDED",
                           "MEMBERSHIP_RENEWED", "MEMBERSHIP_ENDED"}) {
    kinds += fmt::format(R"({}{{"kind":"{}","direct":false,"email":false}})", kinds.empty() ? "" : ",", kind);
  }
  const HttpReply reply = shop.put("/api/admin/messages", fmt::format(R"({{"kinds":[{}]}})", kinds));
  if (reply.status != 200) throw std::runtime_error("not changed: " + reply.body);
}

}  // namespace guildhall::test
