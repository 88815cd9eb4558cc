#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/declared.h"
#include "base/instant.h"

// Lists by cursor: newest first, ties by id, and a cursor that says after which record to go on.
namespace guildhall::http {

struct ListQuery {
  std::optional<Bounded<1, 200>> limit;
  std::optional<std::string> cursor;

  bool asked() const { return limit || cursor; }
  std::int64_t size() const { return limit ? limit->value : 50; }
};
BOOST_DESCRIBE_STRUCT(ListQuery, (), (limit, cursor))

struct Position {
  Instant created_at{INT64_MAX};  // before the newest
  std::string id;

  std::string cursor() const;
};

// Where the query goes on. Throws Failure invalid for a cursor that is not one of ours.
Position position_of(const ListQuery& query);

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
