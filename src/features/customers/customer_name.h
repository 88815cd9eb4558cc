#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace guildhall {

// The part of a statement that reads the display name of the customer with the id in a column of another slice's table.
// $1 is the tenant.
inline std::string customer_name_sql(std::string_view column) {
  return fmt::format("(SELECT c.chat_display_name FROM customers c WHERE c.tenant_id = $1 AND c.id = {})", column);
}

}  // namespace guildhall
