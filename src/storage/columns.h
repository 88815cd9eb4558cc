#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/metadata.h"
#include "storage/database.h"
#include "storage/guard.h"

// Declared structs as rows: a member's name is its column, in the order of the declaration. Column<T> says how a value
// is stored; lists and nested structs are stored as JSON text.
namespace guildhall {

// Reads a row whose only column is a text.
inline std::string read_first_text(const Row& row) {
  return std::string(row.text(0));
}

template <class T>
struct Column {  // lists and nested structs
  static constexpr bool stored_as_json = true;
  static Value write(const T& value) { return to_json(value); }
  static T read(const Row& row, int column) {
    T value{};
    if (row.text(column) == "[]") return value;  // most lists are empty, and parsing is slow
    decode_stored(row.text(column), [&](JsonValue json, Decoder& decoder) { Codec<T>::decode(json, value, decoder); });
    return value;
  }
};

template <>
struct Column<std::string> {
  static Value write(const std::string& value) { return value; }
  static std::string read(const Row& row, int column) { return std::string(row.text(column)); }
};

template <class Tag>
struct Column<Id<Tag>> {
  static Value write(const Id<Tag>& value) { return value.text(); }
  static Id<Tag> read(const Row& row, int column) { return Id<Tag>(row.text(column)); }
};

template <>
struct Column<bool> {
  static constexpr bool stored_as_json = false;
  static Value write(bool value) { return value; }
  static bool read(const Row& row, int column) { return row.boolean(column); }
};

template <>
struct Column<std::int64_t> {
  static constexpr bool stored_as_json = false;
  static Value write(std::int64_t value) { return value; }
  static std::int64_t read(const Row& row, int column) { return row.integer(column); }
};

template <>
struct Column<Instant> {
  static constexpr bool stored_as_json = false;
  static Value write(Instant value) { return value.ms; }
  static Instant read(const Row& row, int column) { return {row.integer(column)}; }
};

template <>
struct Column<Cents> {
  static constexpr bool stored_as_json = false;
  static Value write(Cents value) { return value.value(); }
  static Cents read(const Row& row, int column) { return Cents(row.integer(column)); }
};

template <>
struct Column<Currency> {
  static Value write(Currency value) { return std::string(value.code()); }
  static Currency read(const Row& row, int column) {
    const auto currency = Currency::parse(row.text(column));
    if (!currency) throw std::runtime_error("unknown currency in the database: " + std::string(row.text(column)));
    return *currency;
  }
};

template <>
struct Column<Percent> {
  static constexpr bool stored_as_json = false;
  static Value write(Percent value) { return value.hundredths; }
  static Percent read(const Row& row, int column) { return {row.integer(column)}; }
};

template <>
struct Column<JsonObject> {
  static constexpr bool stored_as_json = true;
  static Value write(const JsonObject& value) { return value.text; }
  static JsonObject read(const Row& row, int column) { return {std::string(row.text(column))}; }
};

template <>
struct Column<Metadata> {
  static constexpr bool stored_as_json = true;
  static Value write(const Metadata& value) { return value.text; }
  static Metadata read(const Row& row, int column) { return {std::string(row.text(column))}; }
};

template <Named T>
struct Column<T> {
  static Value write(T value) { return std::string(name_of(value)); }
  static T read(const Row& row, int column) {
    const auto value = named<T>(row.text(column));
    if (!value) throw std::runtime_error("unknown value in the database: " + std::string(row.text(column)));
    return *value;
  }
};

template <class T>
struct Column<std::optional<T>> {
  static Value write(const std::optional<T>& value) { return value ? Column<T>::write(*value) : Value(); }
  static std::optional<T> read(const Row& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return Column<T>::read(row, column);
  }
};

template <class T>
struct Column<Hidden<T>> {
  static Value write(const Hidden<T>& value) { return Column<T>::write(value.value); }
  static Hidden<T> read(const Row& row, int column) { return {Column<T>::read(row, column)}; }
};

template <>
struct Column<RawJson> {  // stored exactly as received
  static constexpr bool stored_as_json = true;
  static Value write(const RawJson& value) { return value.text; }
  static RawJson read(const Row& row, int column) { return {std::string(row.text(column))}; }
};

// "id, tenant_id, chat_id"
template <Declared S>
std::string columns() {
  std::string list;
  for (const Field& field : fields_of<S>()) list.append(list.empty() ? "" : ", ").append(field.column);
  return list;
}

// "$1, $2, $3"
template <Declared S>
std::string placeholders() {
  std::string list;
  for (std::size_t i = 1; i <= fields_of<S>().size(); ++i) list += fmt::format("{}${}", list.empty() ? "" : ", ", i);
  return list;
}

// "SELECT id, tenant_id, chat_id FROM customers"
template <Declared S>
std::string select_from(std::string_view table) {
  return fmt::format("SELECT {} FROM {}", columns<S>(), table);
}

// "INSERT INTO customers (id, tenant_id, chat_id) VALUES ($1, $2, $3)", for values_of().
template <Declared S>
std::string insert_into(std::string_view table) {
  return fmt::format("INSERT INTO {} ({}) VALUES ({})", table, columns<S>(), placeholders<S>());
}

namespace detail {

// The index of a record's column; -1 where it has no such column.
template <Declared S>
constexpr int column_of(std::string_view name) {
  int column = 0;
  for (const Field& field : fields_of<S>()) {
    if (field.column == name) return column;
    ++column;
  }
  return -1;
}

}  // namespace detail

// "UPDATE customers SET chat_id = $3, …, version = $16 WHERE id = $1 AND tenant_id = $2 AND version = $16 - 1"
//
// A statement for write_versioned() that writes all columns of a record, unless its version in the database differs
// from the one that was read. The first `key_columns` columns are the primary key. It is static, because the result of
// guard() depends on how the including file is compiled.
template <Declared S>
[[maybe_unused]] static std::string versioned_update(std::string_view table, std::size_t key_columns = 2) {
  constexpr int version = detail::column_of<S>("version");
  static_assert(version >= 0, "a versioned record has a column named version");
  std::string assignments;
  std::string conditions;
  std::size_t number = 0;
  for (const Field& field : fields_of<S>()) {
    const bool is_key = ++number <= key_columns;
    std::string& list = is_key ? conditions : assignments;
    if (!list.empty()) list += is_key ? " AND " : ", ";
    list += fmt::format("{} = ${}", field.column, number);
  }
  return fmt::format("UPDATE {} SET {} WHERE {}", table, assignments, conditions) +
         guard(fmt::format(" AND version = ${} - 1", version + 1));
}

// Returns the values of a record's members, in the order of columns().
template <Declared S>
std::vector<Value> values_of(const S& record) {
  std::vector<Value> values;
  values.reserve(fields_of<S>().size());
  boost::mp11::mp_for_each<detail::Members<S>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(record.*member.pointer)>;
    values.push_back(Column<M>::write(record.*member.pointer));
  });
  return values;
}

// Increments the record's version and runs a statement with values_of(): a versioned_update(), or an insert that does
// nothing on a conflict. Throws WriteRace if it wrote no row, because another transaction has written the record.
template <Declared S>
void write_versioned(Tx& tx, const Sql& statement, S& record) {
  ++record.version.value;
  if (tx.run({&statement, values_of(record)}) == 0) throw WriteRace();
}

// Reads a record from a row that has exactly columns().
template <Declared S>
S read_row(const Row& row) {
  S record{};
  int column = 0;
  boost::mp11::mp_for_each<detail::Members<S>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(record.*member.pointer)>;
    record.*member.pointer = Column<M>::read(row, column++);
  });
  return record;
}

// Makes a query's parameters from values: `params(tenant, id, 50)`.
template <class... T>
std::vector<Value> params(const T&... values) {
  std::vector<Value> list;
  list.reserve(sizeof...(values));
  (list.push_back(Column<T>::write(values)), ...);
  return list;
}

}  // namespace guildhall
