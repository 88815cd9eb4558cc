#pragma once

#include <string>
#include <vector>

// The description of a list: its table and its indexes.
namespace guildhall {

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

// An index that is walked: that of an order or of a path.
struct ListSource {
  std::string table, condition, id;
  std::string key;                 // the column of the order; empty: by id alone
  bool is_unique = false;          // the key is text, and no two records have the same
  bool is_own = true;              // the table is the list's own
  const ListPath* path = nullptr;  // null: an order

  // Each row is a record of the list, and no two are the same one.
  bool is_exact() const { return is_own || path->exact; }
};

}  // namespace guildhall
