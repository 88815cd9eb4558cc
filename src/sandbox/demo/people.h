#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "features/customers/customer.h"

// The people of the demo shop. They are invented, and the same in every demo shop.
namespace guildhall::demo {

struct Person {
  std::string chat_id;
  std::string username;
  std::string name;
  std::string email;
  CustomerAddress address;
  std::int64_t tax_percent = 0;  // sales tax at the address
};

// The customers. There is no last one: after the names of the first forty, first and last names are combined anew.
Person person(std::size_t index);

struct StaffMember {
  std::string_view chat_id;
  std::string_view username;
  std::string_view name;
  std::string_view role;  // the granted key
};

inline constexpr StaffMember owner{"200000000000000100", "mira", "Mira Halloran", "TenantAdmin"};
inline constexpr StaffMember packer{"200000000000000101", "tomas", "Tomas Lindqvist", "TenantStaff"};

}  // namespace guildhall::demo
