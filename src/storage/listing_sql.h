#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/listing.h"

// The texts of a list's statements, see storage/listing.h. The listed record is `e` where filters are applied and `r`
// where its row is read.
namespace guildhall {

struct ListDirection {
  bool descending = true;
  bool has_place = true;  // false: the first page in the order of a text, since no text is greater than all others

  std::string_view word() const { return descending ? "DESC" : "ASC"; }
  std::string_view beyond() const { return descending ? "<" : ">"; }
};

class ListTexts {
 public:
  // The filters that a statement applies besides its source.
  enum class Applied { none, in_index, all };

  ListTexts(const ListShape& shape, const std::vector<FilterSql>& filters, const std::string& first_sort)
      : shape_(shape), filters_(filters), first_sort_(first_sort) {}

  // A page of a source that applies all filters. If the source is not exact, it can have fewer rows.
  std::string exact(const ListSource& source, ListDirection direction) const;
  // The same for several values of the source's filter.
  std::string several(const ListSource& source, std::size_t values, ListDirection direction) const;
  // Applies the other filters to the records up to `:stop_key`, `:stop_id`, which are few, and reads their rows for it.
  std::string near(const ListSource& source, ListDirection direction, Applied applied) const;
  // Applies the other filters to the next `examined` records of a source.
  std::string walk(const ListSource& source, ListDirection direction, std::int64_t examined, Applied applied) const;
  // The place of the record that is `:skipped` records further.
  std::string place(const ListSource& source, ListDirection direction) const;
  // Applies the other filters and the order to the small set of records that a path gives.
  std::string set(const ListSource& path, const ListSource& sort, ListDirection direction) const;
  // The same without other filters, of a path of the list's own table: an index may be enough.
  std::string plain_set(const ListSource& path, const ListSource& sort, ListDirection direction) const;
  // All records of such a path, which are few, in any order.
  std::string few(const ListSource& path, const ListSource& sort) const;
  std::string set_size(const ListSource& path) const;
  // How many of the first `:examined` records there are, and how many of them fit.
  std::string count(const ListSource& source, Applied applied) const;

 private:
  std::string rows(const ListSource& source) const;
  std::string rows_beyond(const ListSource& source, ListDirection direction) const;
  std::string conditions(Applied applied) const;
  std::string sort_of(const ListSource& source) const { return source.path == nullptr ? source.key : first_sort_; }
  std::string shown(const ListSource& source, ListDirection direction, std::string_view keys,
                    std::string_view condition = "") const;

  const ListShape& shape_;
  const std::vector<FilterSql>& filters_;
  const std::string& first_sort_;
};

}  // namespace guildhall
