#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
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

// A list with all its statements. They are made when the program starts, so that their number is bounded and the test
// of query plans sees them all.
class Listing {
 public:
  static constexpr std::int64_t total_max = 10'000;

  template <Declared Query>
  static Listing of(ListShape shape) {
    return Listing(std::move(shape), filters_of<Query>(), sort_columns_of<Query>());
  }
  // Throws logic_error if a condition has the name of a value that no filter gives.
  Listing(ListShape shape, std::vector<FilterSql> filters, const std::vector<std::string>& sorts);
  Listing(const Listing&) = delete;  // the sources point to the paths
  Listing& operator=(const Listing&) = delete;

  // Counts the records that match, up to total_max. If there are too many to examine, is_at_least is true.
  ListTotal total(Tx& tx, const ListRequest& request) const;

  // For the planner and the reader. The sources are those of the orders, then those of the paths.
  const std::vector<ListSource>& sources() const { return sources_; }
  const std::vector<FilterSql>& filters() const { return filters_; }
  std::size_t orders() const { return orders_; }
  int record_columns() const { return record_columns_; }
  bool is_in_index(const FilterSql& filter) const;
  const NamedSql& statement(const ListStatement& key) const { return statements_.at(key); }

 private:
  ListShape shape_;
  std::vector<FilterSql> filters_;
  std::vector<ListSource> sources_;
  std::size_t orders_ = 0;
  int record_columns_ = 0;
  ListStatements statements_;
};

}  // namespace guildhall
