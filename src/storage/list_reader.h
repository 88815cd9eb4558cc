#pragma once

#include "storage/listing.h"

namespace guildhall {

// Reads the rows of a list in a reading transaction. A row has the record's columns, then the value of the sort column
// and the id.
class ListReader {
 public:
  ListReader(const Listing& listing, Tx& tx, const ListRequest& request);

  // Passes about `rows_max` further rows, and at most list_read_rows_max, to the sink, possibly none, in any order.
  // Returns false if the list has ended, or if the page has examined as many records as it may: then next() is the
  // place where the next page begins.
  using Sink = FunctionRef<void(const Row&, const ListPlace&)>;
  bool read(std::int64_t rows_max, Sink sink);

  // Whether the next read passes its rows in the order of the list.
  bool reads_in_order() const;

  const std::optional<ListPlace>& next() const { return next_; }

  // Whether a record comes before another one on the list. Always false for the order of a text: such rows come in
  // their order.
  bool is_before(const ListPlace& first, const ListPlace& second) const;

 private:
  const ListSource& source() const { return listing_.sources()[plan_.source]; }
  const ListSource& order() const { return listing_.sources()[plan_.is_set() ? request_.sort : plan_.source]; }
  ListDirection direction() const;
  bool read_rows(const ListStatement& statement, Bindings values, std::int64_t rows_max, Sink sink);
  bool is_near() const;
  void read_few(Sink sink);
  bool read_near(std::int64_t rows_max, Sink sink);
  std::optional<ListPlace> place_after(std::int64_t records) const;
  bool continue_after(std::optional<ListPlace> last, std::int64_t examined);
  Bindings bindings() const;

  const Listing& listing_;
  Tx& tx_;
  const ListRequest& request_;
  ListStatement plan_;
  std::optional<ListPlace> after_, next_;
  std::int64_t examined_ = 0;
};

}  // namespace guildhall
