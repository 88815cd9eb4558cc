#include "storage/list_reader.h"

#include <charconv>

#include "storage/listing_plan.h"

namespace guildhall {
namespace {

// The records that a page examines at most, by reading their rows or an index alone.
constexpr std::int64_t examined_rows_max = 10'000, examined_entries_max = 65'000;

// Greater than every id in any collation: ids are hexadecimal digits and hyphens.
constexpr std::string_view above_ids = "g";

std::int64_t integer_of(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

ListReader::ListReader(const Listing& listing, Tx& tx, const ListRequest& request)
    : listing_(listing), tx_(tx), request_(request), plan_(plan_list(tx, listing, request)), after_(request.after) {}

Bindings ListReader::bindings() const {
  const bool descending = request_.descending;
  const ListSource& order = this->order();
  Bindings values = request_.filters.values;
  values["tenant"] = request_.tenant.text();
  values["after_id"] = after_ ? after_->id : std::string(descending ? above_ids : "");
  if (order.is_unique) {
    values["after_key"] = after_ ? after_->key : std::string();
    return values;
  }
  // A set applies the range as a filter, since its own order is not that of the list.
  const ListRange range = plan_.is_set() ? ListRange{} : range_of(listing_, order, request_);
  const std::int64_t limit = descending ? range.high : range.low;
  values["end"] = descending ? range.low : range.high;
  values["after_key"] = after_ ? integer_of(after_->key) : limit;
  if (after_ && (descending ? integer_of(after_->key) > limit : integer_of(after_->key) < limit)) {
    values["after_key"] = limit;
    values["after_id"] = std::string(descending ? above_ids : "");
  }
  return values;
}

bool ListReader::is_before(const ListPlace& first, const ListPlace& second) const {
  if (order().is_unique) return false;
  const auto key = [&](const ListPlace& place) { return order().key.empty() ? 0 : integer_of(place.key); };
  const auto first_key = key(first), second_key = key(second);
  if (first_key != second_key) return request_.descending ? first_key > second_key : first_key < second_key;
  return request_.descending ? first.id > second.id : first.id < second.id;
}

bool ListReader::reads_in_order() const {
  return source().is_own && (plan_.kind == ListKind::exact || is_near());
}

bool ListReader::is_near() const {
  return plan_.kind == ListKind::walk && plan_.step == 0 && can_read_near(source());
}

bool ListReader::read(std::int64_t rows_max, Sink sink) {
  rows_max = std::min(rows_max, list_read_rows_max);
  if (is_near()) return read_near(rows_max, sink);
  if (plan_.kind == ListKind::few) {
    read_few(sink);
    return false;
  }
  const std::optional<ListPlace> before = after_;
  ListStatement statement = plan_;
  statement.direction = direction();
  if (read_rows(statement, bindings(), rows_max, sink)) return true;
  const bool is_walk = plan_.kind == ListKind::walk;
  if (!is_walk && (plan_.kind != ListKind::exact || source().is_exact())) return false;
  after_ = before;
  const std::int64_t examined = is_walk ? list_walk_steps[plan_.step] : rows_max;
  return continue_after(place_after(examined), examined);
}

ListDirection ListReader::direction() const {
  return {request_.descending, after_.has_value() || !order().is_unique};
}

// Returns false if there are fewer rows than asked for.
bool ListReader::read_rows(const ListStatement& statement, Bindings values, std::int64_t rows_max, Sink sink) {
  values["rows"] = rows_max;
  const int key = listing_.record_columns();
  const bool in_order = reads_in_order();
  ListPlace place;  // of all rows one after the other, so that its texts keep their memory
  const std::int64_t rows = tx_.run(listing_.statement(statement).query(values), [&](const Row& row) {
    place.key = row.text(key);
    place.id = row.text(key + 1);
    sink(row, place);
    if (in_order || !after_ || !is_before(place, *after_)) after_ = place;
  });
  return rows >= rows_max;
}

// All records that the path gives, without those up to the place where the page begins.
void ListReader::read_few(Sink sink) {
  const std::optional<ListPlace> begin = after_;
  read_rows(plan_, bindings(), list_whole_rows_max, [&](const Row& row, const ListPlace& place) {
    if (!begin || is_before(*begin, place)) sink(row, place);
  });
}

// The first step of a walk. Most pages are full after it, so it reads whole rows.
bool ListReader::read_near(std::int64_t rows_max, Sink sink) {
  const std::int64_t examined = list_walk_steps[0];
  const std::optional<ListPlace> stop = place_after(examined);
  Bindings values = bindings();
  values["stop_key"] = stop ? Value(integer_of(stop->key)) : values["end"];
  values["stop_id"] = stop ? stop->id : std::string(request_.descending ? "" : above_ids);
  ListStatement near = plan_;
  near.kind = ListKind::near;
  near.direction = direction();
  return read_rows(near, std::move(values), rows_max, sink) || continue_after(stop, examined);
}

// The place of the record that is so many records further.
std::optional<ListPlace> ListReader::place_after(std::int64_t records) const {
  Bindings values = bindings();
  values["skipped"] = records - 1;
  std::optional<ListPlace> place;
  const ListStatement statement{.kind = ListKind::place, .source = plan_.source, .direction = direction()};
  tx_.run(listing_.statement(statement).query(values), [&](const Row& row) {
    place = {std::string(row.text(0)), std::string(row.text(1))};
  });
  return place;
}

// Continues after the last record that a step has examined. Returns false if there is none after it, or if the page may
// not examine more.
bool ListReader::continue_after(std::optional<ListPlace> last, std::int64_t examined) {
  if (!last) return false;
  after_ = std::move(last);
  examined_ += examined;
  const bool in_index = plan_.is_in_index();
  if (examined_ >= (in_index ? examined_entries_max : examined_rows_max)) {
    next_ = after_;
    return false;
  }
  if (in_index && plan_.step + 1 == list_row_steps) {
    // Few records fit, so they may well be a set. It goes on after the records that were examined.
    if (const auto set = plan_set(tx_, listing_, request_, list_set_rows_max)) {
      plan_ = *set;
      return true;
    }
  }
  const std::size_t steps = in_index ? std::size(list_walk_steps) : list_row_steps;
  if (plan_.kind == ListKind::walk) plan_.step = std::min(plan_.step + 1, steps - 1);
  return true;
}

}  // namespace guildhall
