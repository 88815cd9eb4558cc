#pragma once

#include <optional>
#include <string>

#include "base/field_types.h"
#include "features/catalog/product.h"
#include "features/chat/answer.h"
#include "features/chat/interaction.h"
#include "features/customers/customer.h"

// The form that a member fills in to buy a product. Pure.
namespace guildhall::chat {

constexpr std::int64_t quantity_max = 1'000'000;

// `address` is the member's default address, which the form offers; null if there is none.
Modal order_form(const Product& product, const CustomerAddress* address, std::string custom_id);

const CustomerAddress* default_address(const Customer& customer);

struct OrderForm {
  std::int64_t quantity = 1;
  std::optional<std::string> discount_code{};
  std::optional<JsonObject> shipping_address{};
  std::string problems{};  // sentences for the member; empty if the form is complete
};

// A product that is not digital needs an address.
OrderForm read_order_form(const Product& product, const Interaction& filled_in);

}  // namespace guildhall::chat
