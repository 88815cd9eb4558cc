#include "support/crafted_export.h"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "app/ops/transfer/row_text.h"

namespace guildhall::test {
namespace {

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

std::string file_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string refusal_of(FunctionRef<void()> action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

std::string CraftedExport::rows_of(const std::string& table) const {
  return file_text(folder_ / (table + ".ndjson"));
}

void CraftedExport::set_manifest(const std::string& table, const std::string& entry) {
  std::string manifest = file_text(folder_ / "manifest.json");
  const std::string begin = fmt::format(R"("{}":{{)", table);
  const std::size_t at = manifest.find(begin);
  if (at == std::string::npos) {
    manifest.insert(manifest.find(R"("tables":{)") + 10, fmt::format(R"("{}":{},)", table, entry));
  } else {
    manifest.replace(at, manifest.find('}', at) + 1 - at, fmt::format(R"("{}":{})", table, entry));
  }
  write_file(folder_ / "manifest.json", manifest);
}

void CraftedExport::set_rows(const std::string& table, const std::string& rows) {
  write_file(folder_ / (table + ".ndjson"), rows);
  const auto found = std::ranges::find_if(tables_, [&](const auto& each) { return each->name == table; });
  RowSum sum;
  std::istringstream lines(rows);
  for (std::string line; std::getline(lines, line);) sum.add(row_of_ndjson(**found, line));
  set_manifest(table, fmt::format(R"({{"rows":{},"sum":"{:016x}"}})", sum.rows, sum.sum));
}

void CraftedExport::replace(const std::string& table, const std::string& old_text, const std::string& new_text) {
  std::string rows = rows_of(table);
  std::size_t at = rows.find(old_text);
  if (at == std::string::npos) throw std::runtime_error(fmt::format("{} has no {}", table, old_text));
  for (; at != std::string::npos; at = rows.find(old_text, at + new_text.size())) {
    rows.replace(at, old_text.size(), new_text);
  }
  set_rows(table, rows);
}

}  // namespace guildhall::test
