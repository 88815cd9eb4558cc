#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"
#include "base/function_ref.h"
#include "storage/position.h"

// Lists with cursors. Records are sorted by time of creation, newest first, then by id. A cursor names the record after
// which the next page begins.
namespace guildhall::api {

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

// A page ends early when it reaches this size; its cursor leads to the remaining records.
constexpr std::size_t page_bytes_max = 4 * 1024 * 1024;

// Writes a page as JSON while its records are read, so that only one copy of it is in memory.
class PageWriter {
 public:
  explicit PageWriter(std::int64_t records_max) : records_max_(records_max) {}

  // `append` adds the JSON of one record, or of several items with commas between them. Returns false if the page is
  // full; the record is then not on it. The first record is always added, however large it is.
  bool add(FunctionRef<void(std::string&)> append);

  // The number of records that may still be added.
  std::int64_t room() const { return records_max_ - records_; }

  // `more` is JSON of further members of the page, with a comma before each.
  std::string finish(const std::optional<std::string>& next_cursor, std::string_view more = "") &&;

 private:
  const std::int64_t records_max_;
  std::int64_t records_ = 0;
  std::string text_ = R"({"items":[)";
};

}  // namespace guildhall::api
