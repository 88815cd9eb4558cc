#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_types.h"
#include "base/inputs.h"
#include "features/customers/customer_events.h"

// A customer, and the rules of a customer's data. Pure: no clock, no database.
namespace guildhall {

enum class CustomerSource { CHAT, EMAIL, MANUAL };
BOOST_DESCRIBE_ENUM(CustomerSource, CHAT, EMAIL, MANUAL)

struct CustomerAddress {
  AddressText address_id;
  AddressText name;
  AddressText line1;
  std::optional<AddressText> line2;
  AddressText city;
  AddressText state;
  AddressText postal_code;
  Country country;
  std::optional<AddressText> phone;
};
BOOST_DESCRIBE_STRUCT(CustomerAddress, (), (address_id, name, line1, line2, city, state, postal_code, country, phone))

struct Customer {
  CustomerId id;
  TenantId tenant_id;
  std::string chat_id;
  std::string chat_username;
  std::string chat_display_name;
  CustomerSource source = CustomerSource::CHAT;
  std::optional<std::string> email;
  std::optional<std::string> phone;
  std::optional<UserId> user_id;
  std::optional<std::string> notes;
  bool is_active = true;
  std::vector<CustomerAddress> addresses;
  std::optional<std::string> default_address_id;
  Metadata metadata{};
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::optional<std::string>> search_text{};  // names, email, phone and chat id, for searches
};
BOOST_DESCRIBE_STRUCT(Customer, (),
                      (id, tenant_id, chat_id, chat_username, chat_display_name, source, email, phone, user_id, notes,
                       is_active, addresses, default_address_id, metadata, created_at, updated_at, version,
                       search_text))

using CustomerInputs =
    Inputs<OnlyNew<Required<&Customer::chat_id, Key>>, Required<&Customer::chat_username, Text<>>,
           Required<&Customer::chat_display_name, Text<>>, OnlyNew<Defaulted<&Customer::source>>,
           Optional<&Customer::email, Email>, Optional<&Customer::phone>, OnlyPatch<Optional<&Customer::notes>>,
           Optional<&Customer::user_id>, OnlyPatch<Required<&Customer::is_active>>, Merged<&Customer::metadata>>;
struct NewCustomer : New<CustomerInputs> {};
struct CustomerPatch : Patch<CustomerInputs> {};

constexpr std::size_t customer_addresses_max = 100;

std::string search_text_of(const Customer& customer);

// Throws if the customer already has an address with that id, or the maximum number of addresses.
void add_address(Customer& customer, const CustomerAddress& address);

// Throws not_found for an unknown address. If it was the default address, there is none afterwards.
void remove_address(Customer& customer, const std::string& address_id);

// Throws not_found for an unknown address.
void set_default_address(Customer& customer, const std::string& address_id);

}  // namespace guildhall
