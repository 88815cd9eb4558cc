#pragma once

#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <optional>

#include "base/codec.h"

// Types whose values have names: enums that are described with BOOST_DESCRIBE_ENUM, and ListedName. The name of a value
// is its text in JSON and in the database.
namespace guildhall {

// A name from a list that is put together when the program starts, such as the list of payment processors. `List` has
// `static const std::vector<ListedName<List>>& all()`: the valid values, in the order in which they are documented.
template <class List>
class ListedName {
 public:
  constexpr ListedName() = default;  // not a valid value
  explicit consteval ListedName(const char* literal) : name_(literal) {}

  constexpr std::string_view name() const { return name_; }
  static const std::vector<ListedName>& all() { return List::all(); }

  auto operator<=>(const ListedName&) const = default;

 private:
  std::string_view name_;  // refers to a literal
};

template <class T>
concept DescribedEnum = std::is_enum_v<T>;

template <class T>
inline constexpr bool is_listed_name = false;
template <class List>
inline constexpr bool is_listed_name<ListedName<List>> = true;

template <class T>
concept Named = DescribedEnum<T> || is_listed_name<T>;

template <DescribedEnum E>
constexpr std::string_view name_of(E value) {
  return boost::describe::enum_to_string(value, "");
}

template <class List>
constexpr std::string_view name_of(ListedName<List> value) {
  return value.name();
}

// Calls `visit` with each value and its name.
template <Named T, class Visit>
void for_each_name(Visit visit) {
  if constexpr (DescribedEnum<T>) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>(
        [&](auto enumerator) { visit(enumerator.value, std::string_view(enumerator.name)); });
  } else {
    for (const T& value : T::all()) visit(value, value.name());
  }
}

// The value with that name; nothing if there is none.
template <Named T>
std::optional<T> named(std::string_view name) {
  std::optional<T> found;
  for_each_name<T>([&](T value, std::string_view each) {
    if (name == each) found = value;
  });
  return found;
}

// The names of all values: `DRAFT, PAID`.
template <Named T>
std::string names_of() {
  std::string names;
  for_each_name<T>([&](T, std::string_view name) { names.append(names.empty() ? "" : ", ").append(name); });
  return names;
}

template <Named T>
struct Codec<T> : PlainCodec {
  static void decode(JsonValue value, T& out, Decoder& decoder) {
    std::string_view text;
    const auto found = value.get(text) == simdjson::SUCCESS ? named<T>(text) : std::nullopt;
    if (!found) return decoder.problem("must be one of " + names_of<T>());
    out = *found;
  }
  static void encode(std::string& out, T value) { json::append_string(out, name_of(value)); }
  static void schema(Schema& schema) {
    json::ObjectWriter type(schema.out);
    type.add("type", "string");
    json::ArrayWriter names(type.key("enum"));
    for_each_name<T>([&](T, std::string_view name) { names.add(name); });
  }
};

}  // namespace guildhall
