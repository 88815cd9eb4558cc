#include <fstream>
#include <ostream>

#include "app/transfer/row_text.h"
#include "app/transfer/transfer.h"
#include "base/json_writer.h"
#include "storage/migrations.h"

namespace guildhall {
namespace {

// What is under way belongs to this installation: delivered or answered again elsewhere it would happen twice.
bool stays_behind(const Table& table) {
  return table.name == "outbox_messages" || table.name == "idempotency_records" || !table.has("tenant_id");
}

std::ofstream opened(const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) throw std::runtime_error("cannot write " + path.string());
  return file;
}

void finish(std::ofstream& file, const std::filesystem::path& path) {
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string() + ": is the disk full?");
}

RowSum export_table(Storage& storage, const Table& table, const TenantId& tenant, ExportFormat format,
                    const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / (table.name + (format == ExportFormat::csv ? ".csv" : ".ndjson"));
  std::ofstream file = opened(path);
  if (format == ExportFormat::csv) file << csv_header(table);
  RowSum sum;
  for_each_row(storage, table, &tenant.text(), [&](const std::vector<Table::Values>& rows) {
    for (const Table::Values& row : rows) {
      if (grants_platform_admin(table, row)) continue;
      sum.add(row);
      file << (format == ExportFormat::csv ? csv_line(row) : ndjson_line(table, row));
    }
  });
  finish(file, path);
  return sum;
}

}  // namespace

void export_tenant(const std::string& database_url, const TenantId& tenant, ExportFormat format,
                   const std::filesystem::path& folder, std::ostream& report) {
  Tables tables;  // outlives the storage
  const auto storage = open_storage({.url = database_url});
  tables = read_tables(*storage);
  std::filesystem::create_directories(folder);
  std::string manifest = R"({"format":1,"tenant":)";
  json::append_string(manifest, tenant.text());
  manifest += R"(,"tables":{)";
  bool first = true;
  for (const auto& table : tables) {
    if (stays_behind(*table)) continue;
    const RowSum sum = export_table(*storage, *table, tenant, format, folder);
    manifest += fmt::format(R"({}"{}":{{"rows":{},"sum":"{:016x}"}})", std::exchange(first, false) ? "" : ",",
                            table->name, sum.rows, sum.sum);
    report << fmt::format("{}: {} rows\n", table->name, sum.rows);
    if (table->name == "tenants" && sum.rows == 0) {
      throw std::runtime_error("there is no tenant " + tenant.text());
    }
  }
  std::ofstream file = opened(folder / "manifest.json");
  file << manifest << "}}\n";
  finish(file, folder / "manifest.json");
}

}  // namespace guildhall
