#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/database.h"

namespace guildhall {

// The values of a statement by their names.
using Bindings = std::map<std::string, Value, std::less<>>;

// A statement whose values have names: `:tenant`.
class NamedSql {
 public:
  explicit NamedSql(std::string_view text);

  const std::vector<std::string>& names() const { return names_; }

  // A value that is missing is null.
  Query query(const Bindings& values) const;

 private:
  std::vector<std::string> names_;  // of $1, $2 …
  Sql sql_;
};

}  // namespace guildhall
