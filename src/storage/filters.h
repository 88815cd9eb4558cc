#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "storage/columns.h"
#include "storage/named_sql.h"

// The parameters of a list. A query of a list is a declared struct whose members have the types of this file:
//
//   struct ShipmentQuery : api::ListParams {
//     OneOf<ShipmentStatus, "Shipments in one of these statuses."> status;
//     From<Instant, "created_at", "Created at this time or later."> created_from;
//     SortBy<"createdAt"> sort;
//   };
//
// The condition of the SQL statements follows from the type, as do decoding and the OpenAPI parameter
// (api/list_params.h). A condition names its values, `:status` (storage/named_sql.h).
namespace guildhall {

// A text that is an argument of a template.
template <std::size_t N>
struct Literal {
  char text[N]{};
  constexpr Literal(const char (&given)[N]) { std::copy_n(given, N, text); }  // NOLINT(google-explicit-constructor)
  constexpr std::string_view view() const { return {text, N - 1}; }
};

enum class FilterKind { equal, from, to, other };

// A filter as the statements of a list see it.
struct FilterSql {
  std::string name;       // the member
  std::string column;     // empty: the condition has no single column
  std::string condition;  // true if the filter is not set
  FilterKind kind = FilterKind::other;
  std::size_t values = 1;  // several: `:name_1`, `:name_2` …
};

namespace detail {

template <class T>
constexpr std::string_view sql_type() {
  if constexpr (std::is_same_v<T, bool>) return "boolean";
  if constexpr (std::is_same_v<T, Instant> || std::is_same_v<T, Cents> || std::is_same_v<T, std::int64_t>) {
    return "bigint";
  }
  return "text";
}

template <class T>
std::string unless_null(std::string_view value, std::string_view condition) {
  return fmt::format("(CAST(:{} AS {}) IS NULL OR {})", value, sql_type<T>(), condition);
}

}  // namespace detail

// The common part of all filters with one value.
template <class T, Literal Description>
struct OneValueFilter {
  using Type = T;
  static constexpr std::string_view description = Description.view();
  std::optional<T> value;

  bool is_set() const { return value.has_value(); }
  void bind(const std::string& name, Bindings& values) const {
    if (value) values[name] = Column<T>::write(*value);
  }
};

// The column has the value. `Name` is the column, if it differs from the member's name.
template <class T, Literal Description, Literal Name = "">
struct Is : OneValueFilter<T, Description> {
  static FilterSql sql(std::string_view member) {
    const std::string column(Name.view().empty() ? member : Name.view());
    return {std::string(member), column, detail::unless_null<T>(member, fmt::format("{} = :{}", column, member)),
            FilterKind::equal};
  }
};

// The column has the value or more.
template <class T, Literal Name, Literal Description>
struct From : OneValueFilter<T, Description> {
  static FilterSql sql(std::string_view member) {
    return {std::string(member), std::string(Name.view()),
            detail::unless_null<T>(member, fmt::format("{} >= :{}", Name.view(), member)), FilterKind::from};
  }
};

// The column has the value or less.
template <class T, Literal Name, Literal Description>
struct To : OneValueFilter<T, Description> {
  static FilterSql sql(std::string_view member) {
    return {std::string(member), std::string(Name.view()),
            detail::unless_null<T>(member, fmt::format("{} <= :{}", Name.view(), member)), FilterKind::to};
  }
};

// Any other condition. It may use `:tenant`, the filter's own value and the columns of `e`, the listed record.
template <class T, Literal Condition, Literal Description>
struct Where : OneValueFilter<T, Description> {
  static FilterSql sql(std::string_view member) {
    return {std::string(member), "", detail::unless_null<T>(member, Condition.view())};
  }
};

// A condition that either holds or, with `false`, does not.
template <Literal Condition, Literal Description>
struct Whether : OneValueFilter<bool, Description> {
  static FilterSql sql(std::string_view member) {
    return {std::string(member), "",
            detail::unless_null<bool>(member, fmt::format("({}) = :{}", Condition.view(), member))};
  }
};

// The condition holds. `false` is the same as no filter.
template <Literal Condition, Literal Description>
struct Only : OneValueFilter<bool, Description> {
  static FilterSql sql(std::string_view member) {
    return {std::string(member), "", detail::unless_null<bool>(member, Condition.view())};
  }
  bool is_set() const { return this->value.value_or(false); }
  void bind(const std::string& name, Bindings& values) const {
    if (is_set()) values[name] = true;
  }
};

// The text occurs anywhere in a case-folded column. % and _ have no special meaning.
template <Literal Name, Literal Description>
struct Search : OneValueFilter<Text<200>, Description> {
  static FilterSql sql(std::string_view member) {
    return {std::string(member), "",
            detail::unless_null<std::string>(member, fmt::format(R"({} LIKE :{} ESCAPE '\')", Name.view(), member))};
  }
  void bind(const std::string& name, Bindings& values) const {
    if (this->value) values[name] = contains_pattern(this->value->value);
  }
};

// The column has one of several values of an enum. In a query string they are separated by commas, or the parameter is
// repeated.
template <class E, Literal Description, Literal Name = "">
struct OneOf {
  static constexpr std::string_view description = Description.view();
  static std::size_t values_max() {
    std::size_t count = 0;
    for_each_name<E>([&](E, std::string_view) { ++count; });
    return count;
  }
  std::vector<E> value;

  bool is_set() const { return !value.empty(); }
  void bind(const std::string& name, Bindings& values) const {
    for (std::size_t i = 0; i < value.size(); ++i)
      values[fmt::format("{}_{}", name, i + 1)] = Column<E>::write(value[i]);
  }
  static FilterSql sql(std::string_view member) {
    const std::string column(Name.view().empty() ? member : Name.view());
    std::string list;
    for (std::size_t i = 1; i <= values_max(); ++i) list += fmt::format("{}:{}_{}", i == 1 ? "" : ", ", member, i);
    return {std::string(member), column,
            detail::unless_null<std::string>(fmt::format("{}_1", member), fmt::format("{} IN ({})", column, list)),
            FilterKind::equal, values_max()};
  }
};

// The order of a list: one of the names, with `-` for descending. A name is a column in camel case. The default is the
// first name, descending.
template <Literal... Names>
struct SortBy {
  static constexpr std::array<std::string_view, sizeof...(Names)> names{Names.view()...};
  std::size_t index = 0;
  bool descending = true;
};

template <class F>
concept ListFilter = requires(const F& filter, Bindings& values) {
  filter.is_set();
  filter.bind(std::string(), values);
  F::sql(std::string_view());
};

// The filters of a list's query, in the order of its members.
template <Declared Q>
std::vector<FilterSql> filters_of() {
  std::vector<FilterSql> filters;
  boost::mp11::mp_for_each<detail::Members<Q>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(std::declval<Q>().*member.pointer)>;
    if constexpr (ListFilter<M>) filters.push_back(M::sql(member.name));
  });
  return filters;
}

// The columns by which a list can be sorted.
template <Declared Q>
std::vector<std::string> sort_columns_of() {
  std::vector<std::string> columns;
  for (const std::string_view name : decltype(Q::sort)::names) {
    std::string& column = columns.emplace_back();
    for (const char c : name) {
      if (c >= 'A' && c <= 'Z') column += '_';
      column += lower(c);
    }
  }
  return columns;
}

// The values of the filters of a query that are set, and their names.
struct FilterValues {
  Bindings values;
  std::vector<std::string> set;
};

template <Declared Q>
FilterValues values_of_filters(const Q& query) {
  FilterValues found;
  boost::mp11::mp_for_each<detail::Members<Q>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(query.*member.pointer)>;
    if constexpr (ListFilter<M>) {
      const M& filter = query.*member.pointer;
      filter.bind(member.name, found.values);
      if (filter.is_set()) found.set.emplace_back(member.name);
    }
  });
  return found;
}

}  // namespace guildhall
