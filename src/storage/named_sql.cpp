#include "storage/named_sql.h"

#include <algorithm>

namespace guildhall {
namespace {

bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// Replaces `:name` by the number of the name, `$1`.
std::string numbered(std::string_view text, std::vector<std::string>& names) {
  std::string out;
  while (true) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    out += text.substr(0, colon);
    if (colon == text.size()) return out;
    text.remove_prefix(colon + 1);
    const std::string_view name(text.begin(), std::find_if_not(text.begin(), text.end(), is_in_name));
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) found = names.insert(names.end(), std::string(name));
    out += "$" + std::to_string(found - names.begin() + 1);
    text.remove_prefix(name.size());
  }
}

}  // namespace

NamedSql::NamedSql(std::string_view text) : sql_(numbered(text, names_)) {}

Query NamedSql::query(const Bindings& values) const {
  std::vector<Value> params;
  params.reserve(names_.size());
  for (const std::string& name : names_) {
    const auto found = values.find(name);
    params.push_back(found == values.end() ? Value() : found->second);
  }
  return {&sql_, std::move(params)};
}

}  // namespace guildhall
