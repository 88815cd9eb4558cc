#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/filters.h"
#include "storage/list_shape.h"
#include "storage/named_sql.h"

// The statements of a list.
namespace guildhall {

constexpr std::int64_t list_set_rows_max = 500;   // the records of a small set
constexpr std::int64_t list_whole_rows_max = 64;  // few enough to read all of them and put them in order
constexpr std::int64_t list_read_rows_max = 64;   // more than a usual page has: each read costs a round trip

// How many records a walk examines with one statement: few at first, since most pages are full soon. The numbers are
// written into the statements, because PostgreSQL plans a subquery with an unknown limit as if it were large.
constexpr std::int64_t list_walk_steps[] = {list_whole_rows_max, 1'024, 16'384};
constexpr std::size_t list_row_steps = 2;  // the other steps examine an index alone

struct ListDirection {
  bool descending = true;
  bool has_place = true;  // false: the first page in the order of a text, since no text is greater than all others

  std::string_view word() const { return descending ? "DESC" : "ASC"; }
  std::string_view beyond() const { return descending ? "<" : ">"; }
  auto operator<=>(const ListDirection&) const = default;
};

// The filters that a statement applies besides its source.
enum class ListApplied { none, in_index, all };

enum class ListKind {
  exact,      // a page of a source that applies all filters; with fewer rows if the source is not exact
  several,    // the same for `values` values of the source's filter
  walk,       // applies the other filters to the next records of a source, as many as the step says
  near,       // the first step of a walk, up to `:stop_key`, `:stop_id`: the records are few, so their rows are read
  place,      // the place of the record that is `:skipped` records further
  set,        // applies the other filters and the order to the small set of records that a path gives
  plain_set,  // the same without other filters, of a path of the list's own table: an index may be enough
  few,        // all records of such a path, which are few, in any order
  set_size,   // how many records a path gives
  count,      // how many of the first `:examined` records there are, and how many of them fit
};

// Identifies a statement of a list; its text follows from it.
struct ListStatement {
  ListKind kind;
  std::size_t source = 0;
  std::size_t sort = 0;    // of the three kinds of sets
  std::size_t values = 1;  // of `several`
  std::size_t step = 0;    // of `walk`
  ListApplied applied = ListApplied::none;
  ListDirection direction{};

  bool is_set() const { return kind == ListKind::set || kind == ListKind::plain_set || kind == ListKind::few; }
  bool is_in_index() const { return applied == ListApplied::in_index; }
  auto operator<=>(const ListStatement&) const = default;
};

// Whether the first step of a walk can be `near`.
bool can_read_near(const ListSource& source);

using ListStatements = std::map<ListStatement, NamedSql>;

ListStatements list_statements(const ListShape& shape, const std::vector<FilterSql>& filters,
                               const std::vector<ListSource>& sources);

}  // namespace guildhall
