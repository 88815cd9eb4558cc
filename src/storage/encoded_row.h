#pragma once

#include "storage/columns.h"

// Encodes a row directly to API JSON, without the record in between. Columns that hold JSON are copied verbatim, since
// the same codec wrote them.
namespace guildhall {

namespace detail {

template <class T>
inline constexpr bool is_id = false;
template <class Tag>
inline constexpr bool is_id<Id<Tag>> = true;

template <class T>
concept StoredAsText = std::is_same_v<T, std::string> || std::is_same_v<T, Currency> || Named<T> || is_id<T>;

template <class T>
struct ColumnEncoding {
  static void append(std::string& out, const Row& row, int column) {
    if constexpr (StoredAsText<T>) {
      json::append_string(out, row.text(column));
    } else if constexpr (Column<T>::stored_as_json) {
      out += row.text(column);
    } else {
      Codec<T>::encode(out, Column<T>::read(row, column));
    }
  }
};

template <class T>
struct ColumnEncoding<std::optional<T>> {
  static void append(std::string& out, const Row& row, int column) {
    if (row.is_null(column)) {
      out += "null";
    } else {
      ColumnEncoding<T>::append(out, row, column);
    }
  }
};

// The text before each member's value: `{"id":`, `,"name":` and so on; not used for members that are not shown.
template <Declared S>
const std::vector<std::string>& member_prefixes() {
  static const std::vector<std::string> prefixes = [] {
    std::vector<std::string> made;
    std::size_t shown = 0;
    boost::mp11::mp_for_each<Members<S>>([&](auto member) {
      using M = std::remove_cvref_t<decltype(std::declval<S>().*member.pointer)>;
      made.push_back(fmt::format("{}\"{}\":", shown == 0 ? '{' : ',', fields_of<S>()[made.size()].key));
      if (!Codec<M>::hidden) ++shown;
    });
    return made;
  }();
  return prefixes;
}

}  // namespace detail

// Appends the JSON of a row that has exactly columns<S>(): the same as that of the record from read_row<S>().
template <Declared S>
void append_row_json(std::string& out, const Row& row) {
  const std::vector<std::string>& prefixes = detail::member_prefixes<S>();
  int column = 0;
  boost::mp11::mp_for_each<detail::Members<S>>([&](auto member) {
    using M = std::remove_cvref_t<decltype(std::declval<S>().*member.pointer)>;
    if constexpr (!Codec<M>::hidden) {
      out += prefixes[static_cast<std::size_t>(column)];
      detail::ColumnEncoding<M>::append(out, row, column);
    }
    ++column;
  });
  out += '}';
}

struct EncodedRow {
  RawJson json;
  std::int64_t version = 0;
  Instant created_at;
  std::string id;
};

// Encodes a row as append_row_json() does, with the values that a reply's head needs.
template <Declared S>
EncodedRow encode_row(const Row& row) {
  json::Scratch scratch;
  append_row_json<S>(scratch.text, row);
  EncodedRow encoded{.json = {std::string(scratch.text)}};
  if constexpr (detail::column_of<S>("version") >= 0) encoded.version = row.integer(detail::column_of<S>("version"));
  if constexpr (detail::column_of<S>("created_at") >= 0) {
    encoded.created_at = {row.integer(detail::column_of<S>("created_at"))};
  }
  if constexpr (detail::column_of<S>("id") >= 0) encoded.id = row.text(detail::column_of<S>("id"));
  return encoded;
}

}  // namespace guildhall
