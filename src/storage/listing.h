#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "storage/late_statements.h"
#include "storage/listing_sql.h"

// Lists with filters, orders and cursors. A slice describes a list by a ListShape and the query's filters. The parts:
// - storage/listing_sql.h: the texts of the statements;
// - storage/listing_plan.h: chooses the statement that reads a request's page;
// - storage/list_reader.h: reads the rows of a page.
namespace guildhall {

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

struct ListTotal {
  std::int64_t count = 0;
  bool is_at_least = false;  // there may be more
};

// A list with all its statements.
class Listing {
 public:
  static constexpr std::int64_t total_max = 10'000;

  template <Declared Query>
  static Listing of(ListShape shape) {
    return Listing(std::move(shape), filters_of<Query>(), sort_columns_of<Query>());
  }
  Listing(ListShape shape, std::vector<FilterSql> filters, const std::vector<std::string>& sorts);
  Listing(const Listing&) = delete;  // the sources point to the paths, and the late statements to this
  Listing& operator=(const Listing&) = delete;

  // Counts the records that match, up to total_max. If there are too many to examine, is_at_least is true.
  ListTotal total(Tx& tx, const ListRequest& request) const;

  // For the planner and the reader. The sources are those of the orders, then those of the paths.
  const std::vector<ListSource>& sources() const { return sources_; }
  const std::vector<FilterSql>& filters() const { return filters_; }
  std::size_t orders() const { return orders_; }
  int record_columns() const { return record_columns_; }
  bool is_in_index(const FilterSql& filter) const;
  const NamedSql& statement(const ListStatement& key) const {
    late_.ensure();
    return statements_.at(key);
  }

 private:
  // Throws logic_error if a condition has the name of a value that no filter gives.
  void make_statements() const;

  ListShape shape_;
  std::vector<FilterSql> filters_;
  std::vector<ListSource> sources_;
  std::size_t orders_ = 0;
  int record_columns_ = 0;
  mutable ListStatements statements_;  // made once, when the first is used
  LateStatements late_{[this] { make_statements(); }};
};

}  // namespace guildhall
