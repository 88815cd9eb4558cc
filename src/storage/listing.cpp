#include "storage/listing.h"

#include <charconv>

#include "storage/listing_sql.h"

namespace guildhall {
namespace {

// How many records a walk examines with one statement: few at first, since most pages are full soon. The numbers are
// written into the statements, because PostgreSQL plans a subquery with an unknown limit as if it were large.
constexpr std::int64_t steps[] = {Listing::whole_rows_max, 1'024, 16'384};
constexpr std::size_t row_steps = 2;  // the others are for an index alone

// Greater than every id in any collation: ids are hexadecimal digits and hyphens.
constexpr std::string_view above_ids = "g";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// Replaces `:name` by the number of the name, `$1`.
std::string numbered(std::string_view text, std::vector<std::string>& names) {
  std::string out;
  while (true) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    out += text.substr(0, colon);
    if (colon == text.size()) return out;
    text.remove_prefix(colon + 1);
    const std::string_view name(text.begin(), std::find_if_not(text.begin(), text.end(), is_word));
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) found = names.insert(names.end(), std::string(name));
    out += fmt::format("${}", found - names.begin() + 1);
    text.remove_prefix(name.size());
  }
}

std::int64_t integer_of(const std::string& text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string name_of_way(std::string_view way, std::size_t source, ListDirection direction) {
  return fmt::format("{} {} {}{}", way, source, direction.word(), direction.has_place ? "" : " first");
}

bool can_read_near(const ListSource& source) {
  return source.is_own && !source.is_unique && !source.key.empty();
}

}  // namespace

void split_parameter(JsonValue value, FunctionRef<void(std::string_view)> each) {
  simdjson::dom::array repeated;
  if (value.get(repeated) == simdjson::SUCCESS) {
    for (const JsonValue one : repeated) split_parameter(one, each);
    return;
  }
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return each("");
  if (is_blank(text)) return;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    each(text.substr(0, comma));
    if (comma == text.size()) return;
    text.remove_prefix(comma + 1);
  }
}

NamedSql::NamedSql(std::string_view text) : sql_(numbered(text, names_)) {}

Query NamedSql::query(const Bindings& values) const {
  std::vector<Value> params;
  params.reserve(names_.size());
  for (const std::string& name : names_) {
    const auto found = values.find(name);
    if (found == values.end()) throw std::logic_error("no value for :" + name);
    params.push_back(found->second);
  }
  return {&sql_, std::move(params)};
}

Listing::Listing(ListShape shape, std::vector<FilterSql> filters, std::vector<std::string> sorts)
    : shape_(std::move(shape)), filters_(std::move(filters)), sorts_(std::move(sorts)) {
  record_columns_ = static_cast<int>(std::count(shape_.columns.begin(), shape_.columns.end(), ',')) + 1;
  for (const std::string& column : sorts_) {
    const bool is_unique = std::find(shape_.unique.begin(), shape_.unique.end(), column) != shape_.unique.end();
    sources_.push_back(
        {.table = shape_.table, .condition = shape_.condition, .id = "id", .key = column, .is_unique = is_unique});
  }
  for (const ListPath& path : shape_.paths) {
    const bool is_own = path.table.empty();
    sources_.push_back({.table = is_own ? shape_.table : path.table,
                        .condition = is_own ? path.condition + " AND " + shape_.condition : path.condition,
                        .id = path.id,
                        .key = path.order == ListPath::Order::creation ? sorts_.front() : "",
                        .is_own = is_own,
                        .path = &path});
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) add_statements(i);
}

void Listing::add_statements(std::size_t index) {
  const ListTexts texts(shape_, filters_, sorts_.front());
  const ListSource& source = sources_[index];
  const auto add = [&](const std::string& name, const std::string& text) { statements_.try_emplace(name, text); };
  if (source.path != nullptr || index == 0) {
    add(fmt::format("count {}", index), texts.count(source, ListTexts::Applied::none));
    add(fmt::format("count fitting {}", index), texts.count(source, ListTexts::Applied::all));
  }
  if (index == 0 && !shape_.in_index.empty()) add("count in index", texts.count(source, ListTexts::Applied::in_index));
  if (source.path != nullptr) add(fmt::format("set size {}", index), texts.set_size(source));

  const bool is_walked = source.path == nullptr || source.path->order != ListPath::Order::none;
  for (const ListDirection direction : {ListDirection{true, true}, ListDirection{false, true},
                                        ListDirection{true, false}, ListDirection{false, false}}) {
    for (std::size_t sort = 0; sort < sorts_.size() && source.path != nullptr; ++sort) {
      if (!direction.has_place && !sources_[sort].is_unique) continue;
      add(name_of_way(fmt::format("set {} by", index), sort, direction), texts.set(source, sources_[sort], direction));
      if (!source.is_own) continue;
      add(name_of_way(fmt::format("plain set {} by", index), sort, direction),
          texts.plain_set(source, sources_[sort], direction));
      if (sources_[sort].is_unique) continue;
      add(fmt::format("few {} by {}", index, sort), texts.few(source, sources_[sort]));
    }
    if (!is_walked || (!direction.has_place && !source.is_unique)) continue;
    add(name_of_way("exact", index, direction), texts.exact(source, direction));
    add(name_of_way("place", index, direction), texts.place(source, direction));
    if (can_read_near(source)) {
      add(name_of_way("near", index, direction), texts.near(source, direction, ListTexts::Applied::all));
      if (index == 0 && !shape_.in_index.empty())
        add(name_of_way("near", index, direction) + " in index",
            texts.near(source, direction, ListTexts::Applied::in_index));
    }
    for (std::size_t step = 0; step < std::size(steps); ++step) {
      const std::string name = name_of_way(fmt::format("walk {}", step), index, direction);
      if (step < row_steps) add(name, texts.walk(source, direction, steps[step], ListTexts::Applied::all));
      if (index == 0 && !shape_.in_index.empty())
        add(name + " in index", texts.walk(source, direction, steps[step], ListTexts::Applied::in_index));
    }
    if (source.path == nullptr || !source.is_own) continue;
    for (const FilterSql& filter : filters_) {
      if (filter.name != source.path->filter) continue;
      for (std::size_t values = 2; values <= filter.values; ++values) {
        add(name_of_way(fmt::format("several {}", values), index, direction), texts.several(source, values, direction));
      }
    }
  }
}

const NamedSql& Listing::statement(const std::string& name) const {
  const auto found = statements_.find(name);
  if (found == statements_.end()) throw std::logic_error("no statement for " + name);
  return found->second;
}

bool Listing::is_chosen(const ListSource& source, const ListRequest& request) const {
  const auto is_set = [&](const std::string& filter) {
    return std::find(request.filters.set.begin(), request.filters.set.end(), filter) != request.filters.set.end();
  };
  const ListPath& path = *source.path;
  return (is_set(path.filter) || is_set(path.or_filter)) && (path.and_filter.empty() || is_set(path.and_filter));
}

// The number of values of the path's filter.
std::size_t Listing::values_of(const ListSource& path, const ListRequest& request) const {
  std::size_t count = 1;
  while (true) {
    const auto next = request.filters.values.find(fmt::format("{}_{}", path.path->filter, count + 1));
    if (next == request.filters.values.end() || std::holds_alternative<std::monostate>(next->second)) return count;
    ++count;
  }
}

// Whether walking the source applies the filter.
bool Listing::applies(const ListSource& source, const FilterSql& filter, const ListRequest& request) const {
  if (source.path != nullptr) {
    const ListPath& path = *source.path;
    if (filter.name == path.filter || filter.name == path.or_filter || filter.name == path.and_filter) {
      return !has_several_values(source, request);
    }
  }
  const bool is_end = filter.kind == FilterKind::from || filter.kind == FilterKind::to;
  return is_end && !source.key.empty() && filter.column == source.key;
}

bool Listing::applies_all(const ListSource& source, const ListRequest& request) const {
  return std::all_of(filters_.begin(), filters_.end(), [&](const FilterSql& filter) {
    const auto& set = request.filters.set;
    return std::find(set.begin(), set.end(), filter.name) == set.end() || applies(source, filter, request);
  });
}

// Whether the path alone gives the records: unlike a walk, a set applies no range of time.
bool Listing::is_plain_set(const ListSource& source, const ListRequest& request) const {
  const ListPath& path = *source.path;
  return source.is_own &&
         std::all_of(request.filters.set.begin(), request.filters.set.end(), [&](const std::string& name) {
           return name == path.filter || name == path.or_filter || name == path.and_filter;
         });
}

bool Listing::is_in_index(const ListRequest& request) const {
  return std::all_of(filters_.begin(), filters_.end(), [&](const FilterSql& filter) {
    const auto& set = request.filters.set;
    const auto& in_index = shape_.in_index;
    return std::find(set.begin(), set.end(), filter.name) == set.end() || applies(sources_.front(), filter, request) ||
           std::find(in_index.begin(), in_index.end(), filter.name) != in_index.end();
  });
}

// The smallest set of at most `rows_max` records that a path gives.
std::optional<Listing::Plan> Listing::plan_set(Tx& tx, const ListRequest& request, std::int64_t rows_max) const {
  Bindings values = request.filters.values;
  values["tenant"] = request.tenant.text();
  std::optional<Plan> smallest;
  std::int64_t size = rows_max + 1;
  for (std::size_t i = sorts_.size(); i < sources_.size(); ++i) {
    if (!is_chosen(sources_[i], request) || has_several_values(sources_[i], request)) continue;
    values["counted"] = size;
    std::int64_t rows = 0;
    tx.run(statement(fmt::format("set size {}", i)).query(values), [&](const Row& row) { rows = row.integer(0); });
    if (rows >= size) continue;
    size = rows;
    const bool is_few = rows <= whole_rows_max && !sources_[request.sort].is_unique;
    smallest = {!is_plain_set(sources_[i], request) ? Way::set : is_few ? Way::few : Way::plain_set, i};
  }
  return smallest;
}

Listing::Plan Listing::plan(Tx& tx, const ListRequest& request) const {
  if (applies_all(sources_[request.sort], request)) return {Way::exact, request.sort};
  std::optional<std::size_t> walked;
  for (std::size_t i = sorts_.size(); i < sources_.size() && request.sort == 0; ++i) {
    const ListSource& source = sources_[i];
    if (!is_chosen(source, request) || source.path->order == ListPath::Order::none) continue;
    if (has_several_values(source, request)) {
      if (request.filters.set.size() == 1 && source.is_own) return {Way::several, i};
      continue;
    }
    if (applies_all(source, request)) return {Way::exact, i};
    if (!walked) walked = i;
  }
  // Counting a larger set takes longer than examining an index until the page is full, as it mostly is soon.
  const bool in_index = request.sort == 0 && is_in_index(request);
  if (const auto set = plan_set(tx, request, in_index ? whole_rows_max : set_rows_max)) return *set;
  if (in_index) return {Way::walk, 0, true};
  return {Way::walk, walked.value_or(request.sort)};
}

Listing::Range Listing::range_of(const ListSource& source, const ListRequest& request) const {
  Range range;
  for (const FilterSql& filter : filters_) {
    if (source.key.empty() || filter.column != source.key) continue;
    const auto* const value = std::get_if<std::int64_t>(&request.filters.values.at(filter.name));
    if (value == nullptr) continue;
    if (filter.kind == FilterKind::from) range.low = std::max(range.low, *value);
    if (filter.kind == FilterKind::to) range.high = std::min(range.high, *value);
  }
  return range;
}

ListTotal Listing::total(Tx& tx, const ListRequest& request) const {
  ListRequest newest = request;  // the order does not matter
  newest.sort = 0;
  const Plan plan = this->plan(tx, newest);
  const std::size_t index = plan.way == Way::several ? 0 : plan.source;
  const bool is_exact = plan.way == Way::plain_set || plan.way == Way::few ||
                        (plan.way == Way::exact && (sources_[index].is_own || sources_[index].path->exact));
  const Range range = range_of(sources_[index], request);
  Bindings values = request.filters.values;
  values["tenant"] = request.tenant.text();
  values["low"] = range.low;
  values["high"] = range.high;
  const std::int64_t examined_max = is_exact ? total_max + 1 : counted_max;
  values["examined"] = examined_max;
  std::int64_t examined = 0, fitting = 0;
  const std::string name =
      plan.in_index ? "count in index" : fmt::format("count {}{}", is_exact ? "" : "fitting ", index);
  tx.run(statement(name).query(values), [&](const Row& row) {
    examined = row.integer(0);
    fitting = row.integer(1);
  });
  if (fitting > total_max) return {total_max, true};
  return {fitting, examined == examined_max};
}

ListReader::ListReader(const Listing& listing, Tx& tx, const ListRequest& request)
    : listing_(listing), tx_(tx), request_(request), plan_(listing.plan(tx, request)), after_(request.after) {}

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
  const Listing::Range range = is_set() ? Listing::Range{} : listing_.range_of(order, request_);
  const std::int64_t limit = descending ? range.high : range.low;
  values["end"] = descending ? range.low : range.high;
  values["after_key"] = after_ ? integer_of(after_->key) : limit;
  if (after_ && (descending ? integer_of(after_->key) > limit : integer_of(after_->key) < limit)) {
    values["after_key"] = limit;
    values["after_id"] = std::string(descending ? above_ids : "");
  }
  return values;
}

bool ListReader::is_set() const {
  using Way = Listing::Way;
  return plan_.way == Way::set || plan_.way == Way::plain_set || plan_.way == Way::few;
}

bool ListReader::is_before(const ListPlace& first, const ListPlace& second) const {
  if (order().is_unique) return false;
  const auto key = [&](const ListPlace& place) { return order().key.empty() ? 0 : integer_of(place.key); };
  const auto first_key = key(first), second_key = key(second);
  if (first_key != second_key) return request_.descending ? first_key > second_key : first_key < second_key;
  return request_.descending ? first.id > second.id : first.id < second.id;
}

bool ListReader::read(std::int64_t rows_max, Sink sink) {
  rows_max = std::min(rows_max, Listing::rows_a_read_max);
  using Way = Listing::Way;
  const ListSource& source = listing_.sources_[plan_.source];
  const ListDirection direction{request_.descending, after_.has_value() || !order().is_unique};
  const std::optional<ListPlace> before = after_;
  const auto go_on = [&](std::int64_t examined) {
    after_ = before;
    return leave_examined(place_after(direction, examined), examined);
  };
  std::string name;
  switch (plan_.way) {
    case Way::exact:
      if (read_step(name_of_way("exact", plan_.source, direction), rows_max, sink)) return true;
      return !source.is_own && !source.path->exact && go_on(rows_max);
    case Way::several:
      name = fmt::format("several {}", listing_.values_of(source, request_));
      return read_step(name_of_way(name, plan_.source, direction), rows_max, sink);
    case Way::few:
      read_few(sink);
      return false;
    case Way::set:
    case Way::plain_set:
      name = fmt::format("{} {} by", plan_.way == Way::set ? "set" : "plain set", plan_.source);
      return read_step(name_of_way(name, request_.sort, direction), rows_max, sink);
    case Way::walk:
      break;
  }
  if (step_ == 0 && can_read_near(source)) return read_near(direction, rows_max, sink);
  name = name_of_way(fmt::format("walk {}", step_), plan_.source, direction) + (plan_.in_index ? " in index" : "");
  return read_step(name, rows_max, sink) || go_on(steps[step_]);
}

// Returns false if there are fewer rows than asked for.
bool ListReader::read_step(const std::string& name, std::int64_t rows_max, Sink sink, Bindings more) {
  Bindings values = bindings();
  values["rows"] = rows_max;
  values.merge(more);
  const std::int64_t rows = tx_.run(listing_.statement(name).query(values), [&](const Row& row) {
    ListPlace place{std::string(row.text(listing_.record_columns_)),
                    std::string(row.text(listing_.record_columns_ + 1))};
    sink(row, place);
    if (!after_ || !is_before(place, *after_)) after_ = std::move(place);
  });
  return rows >= rows_max;
}

// All records that the path gives, without those up to the place where the page begins.
void ListReader::read_few(Sink sink) {
  const std::optional<ListPlace> begin = after_;
  const std::string name = fmt::format("few {} by {}", plan_.source, request_.sort);
  read_step(name, Listing::whole_rows_max, [&](const Row& row, const ListPlace& place) {
    if (!begin || is_before(*begin, place)) sink(row, place);
  });
}

// The first step of a walk. Most pages are full after it, so it reads whole rows.
bool ListReader::read_near(ListDirection direction, std::int64_t rows_max, Sink sink) {
  const std::optional<ListPlace> stop = place_after(direction, steps[0]);
  Bindings ends;
  ends["stop_key"] = stop ? Value(integer_of(stop->key)) : bindings().at("end");
  ends["stop_id"] = stop ? stop->id : std::string(direction.descending ? "" : above_ids);
  const std::string name = name_of_way("near", plan_.source, direction) + (plan_.in_index ? " in index" : "");
  return read_step(name, rows_max, sink, std::move(ends)) || leave_examined(stop, steps[0]);
}

// The place of the record that is so many records further.
std::optional<ListPlace> ListReader::place_after(ListDirection direction, std::int64_t records) const {
  Bindings values = bindings();
  values["skipped"] = records - 1;
  std::optional<ListPlace> place;
  tx_.run(listing_.statement(name_of_way("place", plan_.source, direction)).query(values), [&](const Row& row) {
    place = {std::string(row.text(0)), std::string(row.text(1))};
  });
  return place;
}

// Continues after the last record that a step has examined. Returns false if there is none after it, or if the page may
// not examine more.
bool ListReader::leave_examined(std::optional<ListPlace> last, std::int64_t examined) {
  const std::int64_t examined_max = plan_.in_index ? Listing::examined_entries_max : Listing::examined_rows_max;
  if (!last) return false;
  after_ = std::move(last);
  examined_ += examined;
  if (examined_ >= examined_max) {
    next_ = after_;
    return false;
  }
  if (plan_.in_index && step_ + 1 == row_steps) {
    // Few records fit, so they may well be a set. It goes on after the records that were examined.
    if (const auto set = listing_.plan_set(tx_, request_, Listing::set_rows_max)) plan_ = *set;
  }
  step_ = std::min(step_ + 1, (plan_.in_index ? std::size(steps) : row_steps) - 1);
  return true;
}

}  // namespace guildhall
