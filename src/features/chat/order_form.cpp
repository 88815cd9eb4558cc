#include "features/chat/order_form.h"

#include "base/declared.h"
#include "base/text.h"

namespace guildhall::chat {
namespace {

constexpr std::size_t code_max = 100, address_max = 1000;

struct ShippingAddress {
  std::string name, line1;
  std::optional<std::string> line2;
  std::string city, state, postal_code, country;
};
BOOST_DESCRIBE_STRUCT(ShippingAddress, (), (name, line1, line2, city, state, postal_code, country))

struct WrittenAddress {
  std::string name, text;
};
BOOST_DESCRIBE_STRUCT(WrittenAddress, (), (name, text))

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

// The parts between the separators, trimmed; empty ones are left out.
std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (std::string kept = trimmed(part); !kept.empty()) parts.push_back(std::move(kept));
  }
  return parts;
}

void read_quantity(const std::string& text, OrderForm& form) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, form.quantity);
  if (error != std::errc() || stop != end || form.quantity < 1 || form.quantity > quantity_max) {
    form.problems += fmt::format("• The quantity must be a whole number from 1 to {}.\n", quantity_max);
  }
}

// The address in the form's layout. Empty if it is longer than the form allows: a cut address would be wrong.
std::string form_text(const CustomerAddress& address) {
  std::string text = fmt::format("{}\n{}\n{}{}, {}, {}, {}", address.name.value, address.line1.value,
                                 address.line2 ? address.line2->value + "\n" : "", address.city.value,
                                 address.state.value, address.postal_code.value, address.country.value);
  return utf16_units(text) <= address_max ? text : "";
}

// Reads the form's layout: the name, the street in one or two lines, and a last line of four parts. Nothing for any
// other layout.
std::optional<ShippingAddress> structured(const std::vector<std::string>& lines) {
  if (lines.size() < 3 || lines.size() > 4) return std::nullopt;
  const auto place = parts_of(lines.back(), ',');
  if (place.size() != 4 || place[3].size() < 2) return std::nullopt;
  ShippingAddress address{lines[0], lines[1], {}, place[0], place[1], place[2], place[3]};
  if (lines.size() == 4) address.line2 = lines[2];
  return address;
}

// Accepts any layout, because people read the address: one that cannot be divided into fields is stored as text.
void read_address(const Interaction& filled_in, OrderForm& form) {
  const std::string text = trimmed(filled_in.input("address"));
  if (text.empty()) {
    form.problems += "• The shipping address is missing.\n";
  } else if (const auto address = structured(parts_of(text, '\n'))) {
    form.shipping_address = JsonObject{to_json(*address)};
  } else {
    form.shipping_address = JsonObject{to_json(WrittenAddress{filled_in.display_name, text})};
  }
}

}  // namespace

const CustomerAddress* default_address(const Customer& customer) {
  for (const CustomerAddress& address : customer.addresses) {
    if (customer.default_address_id == address.address_id.value) return &address;
  }
  return nullptr;
}

Modal order_form(const Product& product, const CustomerAddress* address, std::string custom_id) {
  Modal modal{std::move(custom_id),
              product.name,
              {{.custom_id = "quantity", .label = "Quantity", .value = "1", .length_max = 7},
               {.custom_id = "discount", .label = "Discount code", .required = false, .length_max = code_max}}};
  if (product.is_digital) return modal;
  modal.inputs.push_back({.custom_id = "address",
                          .label = "Shipping address",
                          .value = address ? form_text(*address) : "",
                          .placeholder = "Name\nStreet\nCity, state, postal code, country",
                          .paragraph = true,
                          .length_max = address_max});
  return modal;
}

OrderForm read_order_form(const Product& product, const Interaction& filled_in) {
  OrderForm form;
  const std::string quantity = trimmed(filled_in.input("quantity"));
  if (!quantity.empty()) read_quantity(quantity, form);
  if (std::string code = trimmed(filled_in.input("discount")); !code.empty()) form.discount_code = std::move(code);
  if (!product.is_digital) read_address(filled_in, form);
  return form;
}

}  // namespace guildhall::chat
