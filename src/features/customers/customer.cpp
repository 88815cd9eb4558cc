#include "features/customers/customer.h"

#include "base/text.h"

namespace guildhall {
namespace {

auto find_address(Customer& customer, const std::string& address_id) {
  return std::find_if(customer.addresses.begin(), customer.addresses.end(),
                      [&](const CustomerAddress& address) { return address.address_id.value == address_id; });
}

}  // namespace

std::string search_text_of(const Customer& customer) {
  return search_text({customer.chat_id, customer.email.value_or(""), customer.phone.value_or(""),
                      customer.chat_username, customer.chat_display_name});
}

CustomerPayload payload_of(const Customer& customer) {
  return {.customer_id = customer.id.text(),
          .chat_id = customer.chat_id,
          .chat_username = customer.chat_username,
          .chat_display_name = customer.chat_display_name,
          .email = customer.email,
          .is_active = customer.is_active};
}

void add_address(Customer& customer, const CustomerAddress& address) {
  if (find_address(customer, address.address_id) != customer.addresses.end()) {
    throw bad_request("ADDRESS_ID_TAKEN", "The customer has an address with this addressId already.");
  }
  if (customer.addresses.size() >= customer_addresses_max) {
    throw bad_request("TOO_MANY_ADDRESSES",
                      fmt::format("A customer has at most {} addresses.", customer_addresses_max));
  }
  customer.addresses.push_back(address);
}

void remove_address(Customer& customer, const std::string& address_id) {
  const auto found = find_address(customer, address_id);
  if (found == customer.addresses.end()) throw not_found("Address");
  customer.addresses.erase(found);
  if (customer.default_address_id == address_id) customer.default_address_id.reset();
}

void set_default_address(Customer& customer, const std::string& address_id) {
  if (find_address(customer, address_id) == customer.addresses.end()) throw not_found("Address");
  customer.default_address_id = address_id;
}

}  // namespace guildhall
