#include "app/ops/transfer/row_check.h"

namespace guildhall {

std::vector<std::size_t> places_in(const Table& table, std::span<const Field> fields) {
  std::vector<std::size_t> places;
  for (const Field& field : fields) {
    const auto found = std::ranges::find(table.columns, field.column, &TableColumn::name);
    if (found == table.columns.end()) {
      throw std::logic_error(fmt::format("table {} has no column {}", table.name, field.column));
    }
    places.push_back(static_cast<std::size_t>(found - table.columns.begin()));
  }
  return places;
}

void collect_problems(std::string_view field, Problems& problems, FunctionRef<void()> action) {
  const auto path_of = [&](const std::string& inner) {
    const bool needs_dot = !field.empty() && !inner.empty() && inner.front() != '[';
    return fmt::format("{}{}{}", field, needs_dot ? "." : "", inner);
  };
  try {
    action();
  } catch (const Failure& failure) {
    for (const Problem& detail : failure.details) problems.push_back({path_of(detail.field), detail.message});
    if (failure.details.empty()) problems.push_back({std::string(field), failure.sentence});
  } catch (const std::exception& error) {
    problems.push_back({std::string(field), error.what()});
  }
}

void detail::append(Problems& problems, Problems more) {
  for (Problem& each : more) {
    if (std::ranges::find(problems, each.field, &Problem::field) == problems.end()) problems.push_back(std::move(each));
  }
}

}  // namespace guildhall
