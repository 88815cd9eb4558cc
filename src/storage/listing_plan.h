#pragma once

#include "storage/listing.h"

// Chooses how the page of a request is read, in this order:
// - Exactly: one index gives the page. It is the index of the order, or that of the only filter.
// - As a set: a filter matches few records (list_set_rows_max). The other filters and the order are applied to these.
// - By a walk: an index is walked, and the other filters are applied to each record. A page examines a bounded number
//   of records. It may end early, with the cursor of the last record that was examined.
namespace guildhall {

// The statement that reads the first rows of a page. Its direction is left to the reader.
ListStatement plan_list(Tx& tx, const Listing& listing, const ListRequest& request);

// The smallest set of at most `rows_max` records that a path gives; none if all sets are larger.
std::optional<ListStatement> plan_set(Tx& tx, const Listing& listing, const ListRequest& request,
                                      std::int64_t rows_max);

// The ends of the range of the source's order that the filters allow.
struct ListRange {
  std::int64_t low = INT64_MIN, high = INT64_MAX;
};
ListRange range_of(const Listing& listing, const ListSource& source, const ListRequest& request);

}  // namespace guildhall
