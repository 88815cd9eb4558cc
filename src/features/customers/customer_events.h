#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/declared.h"

// The events of customers, and the payload with which they leave the process.
namespace guildhall {

struct Customer;

struct CustomerPayload {
  std::string customer_id;
  std::string chat_id;
  std::string chat_username;
  std::string chat_display_name;
  std::optional<std::string> email;
  bool is_active = true;
};
BOOST_DESCRIBE_STRUCT(CustomerPayload, (), (customer_id, chat_id, chat_username, chat_display_name, email, is_active))

CustomerPayload payload_of(const Customer& customer);

struct CustomerCreated {
  static constexpr std::string_view name = "customer.created";
  const Customer& customer;
  CustomerPayload payload() const { return payload_of(customer); }
};

// Changed in any way that the other events do not tell.
struct CustomerUpdated {
  static constexpr std::string_view name = "customer.updated";
  const Customer& customer;
  CustomerPayload payload() const { return payload_of(customer); }
};

struct CustomerDeactivated {
  static constexpr std::string_view name = "customer.deactivated";
  const Customer& customer;
  CustomerPayload payload() const { return payload_of(customer); }
};

struct CustomerReactivated {
  static constexpr std::string_view name = "customer.reactivated";
  const Customer& customer;
  CustomerPayload payload() const { return payload_of(customer); }
};

}  // namespace guildhall
