#include "storage/listing_plan.h"

namespace guildhall {
namespace {

bool is_filter_of(const ListPath& path, const std::string& filter) {
  return filter == path.filter || filter == path.or_filter || filter == path.and_filter;
}

class ListPlanner {
 public:
  ListPlanner(const Listing& listing, const ListRequest& request) : listing_(listing), request_(request) {}

  // Whether the filters of a path are set.
  bool is_chosen(const ListPath& path) const {
    return (is_set(path.filter) || is_set(path.or_filter)) && (path.and_filter.empty() || is_set(path.and_filter));
  }

  // The number of values of the path's filter.
  std::size_t values_of(const ListPath& path) const {
    std::size_t count = 1;
    while (request_.filters.values.contains(fmt::format("{}_{}", path.filter, count + 1))) ++count;
    return count;
  }

  // Whether walking the source applies all filters that are set.
  bool applies_all(const ListSource& source) const {
    return all_set([&](const FilterSql& filter) { return applies(source, filter); });
  }

  // Whether the path alone gives the records: unlike a walk, a set applies no range of time.
  bool is_plain_set(const ListSource& source) const {
    return source.is_own && all_set([&](const FilterSql& filter) { return is_filter_of(*source.path, filter.name); });
  }

  // Whether the index of the first order is enough to apply all filters that are set.
  bool is_in_index() const {
    return all_set([&](const FilterSql& filter) {
      return applies(listing_.sources().front(), filter) || listing_.is_in_index(filter);
    });
  }

 private:
  bool is_set(const std::string& filter) const {
    const auto& set = request_.filters.set;
    return std::find(set.begin(), set.end(), filter) != set.end();
  }

  template <class Condition>
  bool all_set(const Condition& condition) const {
    return std::ranges::all_of(listing_.filters(),
                               [&](const FilterSql& filter) { return !is_set(filter.name) || condition(filter); });
  }

  bool applies(const ListSource& source, const FilterSql& filter) const {
    if (source.path != nullptr && is_filter_of(*source.path, filter.name)) return values_of(*source.path) == 1;
    const bool is_end = filter.kind == FilterKind::from || filter.kind == FilterKind::to;
    return is_end && !source.key.empty() && filter.column == source.key;
  }

  const Listing& listing_;
  const ListRequest& request_;
};

}  // namespace

std::optional<ListStatement> plan_set(Tx& tx, const Listing& listing, const ListRequest& request,
                                      std::int64_t rows_max) {
  const ListPlanner planner(listing, request);
  const auto& sources = listing.sources();
  Bindings values = request.filters.values;
  values["tenant"] = request.tenant.text();
  std::optional<ListStatement> smallest;
  std::int64_t size = rows_max + 1;
  for (std::size_t i = listing.orders(); i < sources.size(); ++i) {
    if (!planner.is_chosen(*sources[i].path) || planner.values_of(*sources[i].path) > 1) continue;
    values["counted"] = size;
    std::int64_t rows = 0;
    tx.run(listing.statement({.kind = ListKind::set_size, .source = i}).query(values),
           [&](const Row& row) { rows = row.integer(0); });
    if (rows >= size) continue;
    size = rows;
    smallest = {.kind = ListKind::set, .source = i, .sort = request.sort};
    if (!planner.is_plain_set(sources[i])) continue;
    const bool is_few = rows <= list_whole_rows_max && !sources[request.sort].is_unique;
    smallest->kind = is_few ? ListKind::few : ListKind::plain_set;
  }
  return smallest;
}

ListStatement plan_list(Tx& tx, const Listing& listing, const ListRequest& request) {
  const ListPlanner planner(listing, request);
  const auto& sources = listing.sources();
  if (planner.applies_all(sources[request.sort])) return {.kind = ListKind::exact, .source = request.sort};
  std::optional<std::size_t> walked;
  for (std::size_t i = listing.orders(); i < sources.size() && request.sort == 0; ++i) {
    const ListPath& path = *sources[i].path;
    if (!planner.is_chosen(path) || path.order == ListPath::Order::none) continue;
    if (const std::size_t values = planner.values_of(path); values > 1) {
      const bool is_only = request.filters.set.size() == 1 && sources[i].is_own;
      if (is_only) return {.kind = ListKind::several, .source = i, .values = values};
      continue;
    }
    if (planner.applies_all(sources[i])) return {.kind = ListKind::exact, .source = i};
    if (!walked) walked = i;
  }
  // Counting a larger set takes longer than examining an index until the page is full, as it mostly is soon.
  const bool in_index = request.sort == 0 && planner.is_in_index();
  if (const auto set = plan_set(tx, listing, request, in_index ? list_whole_rows_max : list_set_rows_max)) return *set;
  if (in_index) return {.kind = ListKind::walk, .applied = ListApplied::in_index};
  return {.kind = ListKind::walk, .source = walked.value_or(request.sort), .applied = ListApplied::all};
}

ListRange range_of(const Listing& listing, const ListSource& source, const ListRequest& request) {
  ListRange range;
  for (const FilterSql& filter : listing.filters()) {
    if (source.key.empty() || filter.column != source.key) continue;
    const auto found = request.filters.values.find(filter.name);
    if (found == request.filters.values.end()) continue;
    const auto* const value = std::get_if<std::int64_t>(&found->second);
    if (value == nullptr) continue;
    if (filter.kind == FilterKind::from) range.low = std::max(range.low, *value);
    if (filter.kind == FilterKind::to) range.high = std::min(range.high, *value);
  }
  return range;
}

}  // namespace guildhall
