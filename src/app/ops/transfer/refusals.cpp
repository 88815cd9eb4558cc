#include "app/ops/transfer/refusals.h"

#include "base/text.h"

namespace guildhall {
namespace {

constexpr std::size_t sentences_kept_max = 100;
constexpr std::size_t sentence_units_max = 300;

// Text of an export may contain control characters, which a terminal would obey.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return cut_text(std::move(text), sentence_units_max);
}

// The key of the row without the tenant, which is the same in all rows.
std::string name_of_row(const Table& table, const Table::Values& row) {
  std::string name;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (table.columns[i].key_place == 0 || table.columns[i].name == "tenant_id") continue;
    if (!name.empty()) name += '/';
    if (const auto* text = std::get_if<std::string>(&row[i])) name += *text;
    if (const auto* number = std::get_if<std::int64_t>(&row[i])) name += std::to_string(*number);
  }
  return name;
}

}  // namespace

void Refusals::add(std::string sentence) {
  if (sentences_.size() == sentences_kept_max) {
    ++more_;
  } else {
    sentences_.push_back(printable(std::move(sentence)));
  }
}

void Refusals::add(const Table& table, const Table::Values& row, const Problems& problems) {
  const std::string name = name_of_row(table, row);
  for (const Problem& problem : problems) {
    add(fmt::format("{}{}{}: {}{}{}", table.name, name.empty() ? "" : " ", name, problem.field,
                    problem.field.empty() ? "" : " ", problem.message));
  }
}

void Refusals::clear() {
  sentences_.clear();
  more_ = 0;
}

std::string Refusals::text() const {
  std::string lines;
  for (const std::string& sentence : sentences_) lines.append(lines.empty() ? "" : "\n").append(sentence);
  if (more_ > 0) lines += fmt::format("\n… and {} more", more_);
  return lines;
}

}  // namespace guildhall
