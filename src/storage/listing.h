#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "storage/filters.h"

// Reading lists with filters, orders and cursors. All statements of a list are made when the program starts, so that
// their number is bounded and the test of query plans sees them all.
//
// A list is read in one of these ways:
// - Exactly: one index gives the page. It is the index of the order, or that of the only filter.
// - As a set: a filter matches few records (set_rows_max). The other filters and the order are applied to these.
// - By a walk: an index is walked, and the other filters are applied to each record. A page examines a bounded number
// of
//   records. It may end early, with the cursor of the last record that was examined.
namespace guildhall {

// A statement whose values have names: `:tenant`.
class NamedSql {
 public:
  explicit NamedSql(std::string_view text);

  // Throws logic_error if a value is missing.
  Query query(const Bindings& values) const;

 private:
  std::vector<std::string> names_;  // of $1, $2 …
  Sql sql_;
};

// An index that has the records of one filter, in the order of the list or not.
struct ListPath {
  std::string filter;     // the member of the query
  std::string condition;  // of the rows of `table`; if the filter has several values, of the first one
  std::string table{};    // empty: the list's own
  std::string id = "id";  // the column with the record's id
  enum class Order {
    creation,  // by the list's first order, then by id
    id,        // by id alone, which rises with time as well
    none,      // the path only gives sets of records
  } order = Order::creation;
  bool exact = true;         // false: some rows belong to no record of the list, or several to the same one
  std::string or_filter{};   // serves this filter, too: the other end of a range
  std::string and_filter{};  // needs this filter, too
};

struct ListShape {
  std::string table;
  std::string columns;                  // of the record
  std::string condition = "true";       // the rows that are records of the list: "deleted_at IS NULL"
  std::vector<std::string> unique{};    // sort columns that hold text; no two records have the same
  std::vector<ListPath> paths{};        // the path of the most selective filter first
  std::vector<std::string> in_index{};  // filters that the index of the first order can check without the row
};

// The last record of a page.
struct ListPlace {
  std::string key;  // the value of the sort column
  std::string id;
};

struct ListRequest {
  TenantId tenant;
  FilterValues filters;
  std::size_t sort = 0;
  bool descending = true;
  std::optional<ListPlace> after{};
};

struct ListDirection;

struct ListTotal {
  std::int64_t count = 0;
  bool is_at_least = false;  // there may be more
};

// An index that is walked: that of an order or of a path.
struct ListSource {
  std::string table, condition, id;
  std::string key;                 // the column of the order; empty: by id alone
  bool is_unique = false;          // the key is text, and no two records have the same
  bool is_own = true;              // the table is the list's own
  const ListPath* path = nullptr;  // null: an order
};

// The statements of one list.
class Listing {
 public:
  static constexpr std::int64_t total_max = 10'000;
  static constexpr std::int64_t set_rows_max = 500;
  static constexpr std::int64_t rows_a_read_max = 64;  // more than a usual page has: each read costs a round trip
  static constexpr std::int64_t whole_rows_max = 64;   // few enough to read all of them and put them in order
  // The records that a page examines at most, by reading their rows or an index alone.
  static constexpr std::int64_t examined_rows_max = 10'000, examined_entries_max = 65'000;
  static constexpr std::int64_t counted_max = 100'000;  // the records that a total examines at most

  template <Declared Query>
  static Listing of(ListShape shape) {
    return Listing(std::move(shape), filters_of<Query>(), sort_columns_of<Query>());
  }
  Listing(ListShape shape, std::vector<FilterSql> filters, std::vector<std::string> sorts);
  Listing(const Listing&) = delete;  // the sources point to the paths
  Listing& operator=(const Listing&) = delete;

  // Counts the records that match, up to total_max; it examines at most counted_max records.
  ListTotal total(Tx& tx, const ListRequest& request) const;

 private:
  friend class ListReader;

  // The ways to read a page.
  enum class Way {
    exact,      // the source applies all filters
    several,    // the same, for several values of the source's filter
    set,        // the source gives few records
    plain_set,  // the same, and applies all filters
    few,        // the same, and so few that all of them are read and then put in order
    walk,       // the other filters are applied to the records of the source
  };
  struct Plan {
    Way way = Way::exact;
    std::size_t source = 0;
    bool in_index = false;  // an index alone is examined
  };
  Plan plan(Tx& tx, const ListRequest& request) const;
  std::optional<Plan> plan_set(Tx& tx, const ListRequest& request, std::int64_t rows_max) const;

  void add_statements(std::size_t source);
  const NamedSql& statement(const std::string& name) const;
  bool applies(const ListSource& source, const FilterSql& filter, const ListRequest& request) const;
  bool applies_all(const ListSource& source, const ListRequest& request) const;
  bool is_chosen(const ListSource& path, const ListRequest& request) const;
  std::size_t values_of(const ListSource& path, const ListRequest& request) const;
  bool has_several_values(const ListSource& path, const ListRequest& request) const {
    return values_of(path, request) > 1;
  }
  bool is_plain_set(const ListSource& source, const ListRequest& request) const;
  bool is_in_index(const ListRequest& request) const;
  // The ends of the range of the source's order that the filters allow.
  struct Range {
    std::int64_t low = INT64_MIN, high = INT64_MAX;
  };
  Range range_of(const ListSource& source, const ListRequest& request) const;

  ListShape shape_;
  std::vector<FilterSql> filters_;
  std::vector<std::string> sorts_;
  int record_columns_ = 0;
  std::vector<ListSource> sources_;  // those of the orders, then those of the paths
  std::map<std::string, NamedSql> statements_;
};

// Reads the rows of a list in a reading transaction. A row has the record's columns, then the value of the sort column
// and the id.
class ListReader {
 public:
  ListReader(const Listing& listing, Tx& tx, const ListRequest& request);

  // Passes about `rows_max` further rows, and at most rows_a_read_max, to the sink, possibly none, in any order.
  // Returns false if the list has ended, or if the page has examined as many records as it may: then next() is the
  // place where the next page begins.
  using Sink = FunctionRef<void(const Row&, const ListPlace&)>;
  bool read(std::int64_t rows_max, Sink sink);

  const std::optional<ListPlace>& next() const { return next_; }

  // Whether a record comes before another one on the list. Always false for the order of a text: such rows come in
  // their order.
  bool is_before(const ListPlace& first, const ListPlace& second) const;

 private:
  const ListSource& order() const { return listing_.sources_[is_set() ? request_.sort : plan_.source]; }
  bool read_step(const std::string& name, std::int64_t rows_max, Sink sink, Bindings more = {});
  void read_few(Sink sink);
  bool read_near(ListDirection direction, std::int64_t rows_max, Sink sink);
  std::optional<ListPlace> place_after(ListDirection direction, std::int64_t records) const;
  bool leave_examined(std::optional<ListPlace> last, std::int64_t examined);
  bool is_set() const;
  Bindings bindings() const;

  const Listing& listing_;
  Tx& tx_;
  const ListRequest& request_;
  Listing::Plan plan_;
  std::optional<ListPlace> after_, next_;
  std::int64_t examined_ = 0;
  std::size_t step_ = 0;
};

}  // namespace guildhall
