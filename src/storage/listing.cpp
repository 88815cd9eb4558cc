#include "storage/listing.h"

#include "storage/listing_plan.h"

namespace guildhall {
namespace {

constexpr std::int64_t counted_max = 100'000;  // the records that a total examines at most

constexpr std::string_view values_of_reader[] = {"tenant",   "after_key", "after_id", "end", "rows", "skipped",
                                                 "stop_key", "stop_id",   "examined", "low", "high", "counted"};

bool gives(const FilterSql& filter, const std::string& value) {
  return value == filter.name || value.starts_with(filter.name + "_");
}

}  // namespace

Listing::Listing(ListShape shape, std::vector<FilterSql> filters, const std::vector<std::string>& sorts)
    : shape_(std::move(shape)), filters_(std::move(filters)), orders_(sorts.size()) {
  record_columns_ = static_cast<int>(std::count(shape_.columns.begin(), shape_.columns.end(), ',')) + 1;
  for (const std::string& column : sorts) {
    const bool is_unique = std::find(shape_.unique.begin(), shape_.unique.end(), column) != shape_.unique.end();
    sources_.push_back(
        {.table = shape_.table, .condition = shape_.condition, .id = "id", .key = column, .is_unique = is_unique});
  }
  for (const ListPath& path : shape_.paths) {
    const bool is_own = path.table.empty();
    sources_.push_back({.table = is_own ? shape_.table : path.table,
                        .condition = is_own ? path.condition + " AND " + shape_.condition : path.condition,
                        .id = path.id,
                        .key = path.order == ListPath::Order::creation ? sorts.front() : "",
                        .is_own = is_own,
                        .path = &path});
  }
}

void Listing::make_statements() const {
  statements_ = list_statements(shape_, filters_, sources_);
  for (const auto& [key, statement] : statements_) {
    for (const std::string& name : statement.names()) {
      const bool is_known = std::ranges::find(values_of_reader, name) != std::end(values_of_reader) ||
                            std::ranges::any_of(filters_, [&](const FilterSql& filter) { return gives(filter, name); });
      if (!is_known) throw std::logic_error("no filter gives a value for :" + name);
    }
  }
}

bool Listing::is_in_index(const FilterSql& filter) const {
  return std::find(shape_.in_index.begin(), shape_.in_index.end(), filter.name) != shape_.in_index.end();
}

ListTotal Listing::total(Tx& tx, const ListRequest& request) const {
  ListRequest newest = request;  // the order does not matter
  newest.sort = 0;
  const ListStatement plan = plan_list(tx, *this, newest);
  const std::size_t index = plan.kind == ListKind::several ? 0 : plan.source;
  const ListSource& source = sources_[index];
  const bool is_exact = plan.kind == ListKind::plain_set || plan.kind == ListKind::few ||
                        (plan.kind == ListKind::exact && source.is_exact());
  const ListRange range = range_of(*this, source, request);
  const std::int64_t examined_max = is_exact ? total_max + 1 : counted_max;
  Bindings values = request.filters.values;
  values["tenant"] = request.tenant.text();
  values["low"] = range.low;
  values["high"] = range.high;
  values["examined"] = examined_max;
  ListStatement count{.kind = ListKind::count, .source = index, .applied = ListApplied::all};
  if (is_exact) count.applied = ListApplied::none;
  if (plan.applied == ListApplied::in_index) count.applied = ListApplied::in_index;
  std::int64_t examined = 0, fitting = 0;
  tx.run(statement(count).query(values), [&](const Row& row) {
    examined = row.integer(0);
    fitting = row.integer(1);
  });
  if (fitting > total_max) return {total_max, true};
  return {fitting, examined == examined_max};
}

}  // namespace guildhall
