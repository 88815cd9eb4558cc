#include <ostream>

#include "app/installation.h"
#include "app/transfer/export_folder.h"
#include "app/transfer/row_text.h"
#include "app/transfer/transfer.h"
#include "base/json_writer.h"

namespace guildhall {
namespace {

RowSum export_table(Tx& tx, const Table& table, const TenantId& tenant, ExportFormat format, ExportFolder& folder) {
  const bool csv = format == ExportFormat::csv;
  PrivateFile file = folder.create(table.name + (csv ? ".csv" : ".ndjson"));
  if (csv) file.write(csv_header(table));
  RowSum sum;
  for_each_row(tx, table, &tenant.text(), [&](const std::vector<Table::Values>& rows) {
    for (const Table::Values& row : rows) {
      if (grants_platform_admin(table, row)) continue;
      sum.add(row);
      file.write(csv ? csv_line(row) : ndjson_line(table, row));
    }
  });
  file.finish();
  return sum;
}

// Returns the manifest.
std::string export_tables(Tx& tx, const Tables& tables, const TenantId& tenant, ExportFormat format,
                          ExportFolder& folder, std::ostream& report) {
  const std::string sums = json::write_object([&](json::ObjectWriter& object) {
    for (const auto& table : tables) {
      if (stays_with_installation(*table)) continue;
      const RowSum sum = export_table(tx, *table, tenant, format, folder);
      object.add(table->name, json::object({{"rows", sum.rows}, {"sum", fmt::format("{:016x}", sum.sum)}}));
      report << fmt::format("{}: {} rows\n", table->name, sum.rows);
    }
  });
  return json::object({{"format", 1}, {"tenant", tenant.text()}, {"tables", json::verbatim(sums)}}).text + "\n";
}

}  // namespace

void export_tenant(const std::string& database_url, const TenantId& tenant, ExportFormat format,
                   const std::filesystem::path& path, std::ostream& report) {
  Tables tables;  // outlives the database
  const auto database = open_installation(database_url);
  std::optional<ExportFolder> folder;
  std::string manifest;
  database->read([&](Tx& tx) {
    require_tenant(tx, tenant);
    folder.emplace(path);
    tables = read_tables(tx, database->name());
    manifest = export_tables(tx, tables, tenant, format, *folder, report);
  });
  // The manifest is written last, after the snapshot was read completely: an export with a manifest is complete.
  PrivateFile file = folder->create("manifest.json");
  file.write(manifest);
  file.finish();
  folder->keep();
}

}  // namespace guildhall
