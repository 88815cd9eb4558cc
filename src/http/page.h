#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"
#include "base/instant.h"

// Lists by cursor: newest first, ties by id, and a cursor that says after which record to go on.
namespace guildhall::http {

struct Position {
  Instant created_at{INT64_MAX};  // before the newest
  std::string id;

  std::string cursor() const;
};

}  // namespace guildhall::http

namespace guildhall {

// In a query, a position is the cursor that a list has given out.
template <>
struct Codec<http::Position> : PlainCodec {
  static void decode(JsonValue value, http::Position& out, Decoder& decoder);
  static void encode(std::string& out, const http::Position& value) { json::append_string(out, value.cursor()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

}  // namespace guildhall

namespace guildhall::http {

struct ListQuery {
  std::optional<Bounded<1, 200>> limit;
  std::optional<Position> cursor;

  bool asked() const { return limit || cursor; }
  std::int64_t size() const { return limit ? limit->value : 50; }
  Position start() const { return cursor.value_or(Position{}); }
};
BOOST_DESCRIBE_STRUCT(ListQuery, (), (limit, cursor))

template <class T>
struct Page {
  std::vector<T> items;
  std::optional<std::string> next_cursor;  // null on the last page

  BOOST_DESCRIBE_CLASS(Page, (), (items, next_cursor), (), ())
};

// Makes a page from up to limit + 1 records: the one too many only tells that there is more.
template <class T>
Page<T> page_of(std::vector<T> records, std::int64_t limit) {
  Page<T> page{std::move(records), std::nullopt};
  if (page.items.size() > static_cast<std::size_t>(limit)) {
    page.items.resize(static_cast<std::size_t>(limit));
    const T& last = page.items.back();
    page.next_cursor = Position{last.created_at, last.id.text()}.cursor();
  }
  return page;
}

}  // namespace guildhall::http
