#include <ostream>

#include "app/ops/installation.h"
#include "app/ops/progress.h"
#include "app/ops/transfer/export_folder.h"
#include "app/ops/transfer/row_text.h"
#include "app/ops/transfer/transfer.h"
#include "base/encoding.h"
#include "base/json_writer.h"
#include "features/media/media_folder.h"

namespace guildhall {
namespace {

// Puts the content of a picture that is stored in a file into its row. A row whose file is missing stays without.
void add_file_content(const MediaFolder& media, const Table& table, Table::Values& row) {
  std::string id;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (table.columns[i].name == "id") id = std::get<std::string>(row[i]);
    if (table.columns[i].name != "content" || row[i] != Value()) continue;
    if (const auto bytes = media.read(id)) row[i] = base64(*bytes);
  }
}

RowSum export_table(Tx& tx, const Table& table, const TenantId& tenant, ExportFormat format, ExportFolder& folder,
                    const std::optional<MediaFolder>& media, Progress& progress) {
  const bool csv = format == ExportFormat::csv;
  PrivateFile file = folder.create(table.name + (csv ? ".csv" : ".ndjson"));
  if (csv) file.write(csv_header(table));
  RowSum sum;
  for_each_row(tx, table, &tenant.text(), [&](const std::vector<Table::Values>& rows) {
    for (Table::Values row : rows) {
      if (stays_with_installation(table, row)) continue;
      if (media && table.name == "media_files") add_file_content(*media, table, row);
      sum.add(row);
      file.write(csv ? csv_line(row) : ndjson_line(table, row));
    }
    progress.add(std::ssize(rows));
  });
  file.finish();
  return sum;
}

// Returns the manifest.
std::string export_tables(Tx& tx, const Tables& tables, const TenantId& tenant, ExportFormat format,
                          ExportFolder& folder, std::ostream& report, const std::optional<MediaFolder>& media) {
  std::int64_t rows = 0;
  for (const auto& table : tables) {
    if (!stays_with_installation(*table)) rows += table->count(tx, &tenant.text());
  }
  Progress progress("exporting", rows);
  const std::string sums = json::write_object([&](json::ObjectWriter& object) {
    for (const auto& table : tables) {
      if (stays_with_installation(*table)) continue;
      const RowSum sum = export_table(tx, *table, tenant, format, folder, media, progress);
      object.add(table->name, json::object({{"rows", sum.rows}, {"sum", fmt::format("{:016x}", sum.sum)}}));
      progress.clear();
      report << fmt::format("{}: {} rows\n", table->name, sum.rows);
    }
  });
  return json::object({{"format", 1}, {"tenant", tenant.text()}, {"tables", json::verbatim(sums)}}).text + "\n";
}

}  // namespace

void export_tenant(const std::string& database_url, const TenantId& tenant, ExportFormat format,
                   const std::filesystem::path& path, std::ostream& report, const std::string& media_dir) {
  Tables tables;  // outlives the database
  const auto database = open_installation(database_url);
  std::optional<ExportFolder> folder;
  std::string manifest;
  std::optional<MediaFolder> media;
  if (!media_dir.empty()) media.emplace(media_dir);
  database->read([&](Tx& tx) {
    require_tenant(tx, tenant);
    folder.emplace(path);
    tables = read_tables(tx, database->name());
    manifest = export_tables(tx, tables, tenant, format, *folder, report, media);
  });
  // The manifest is written last, after the snapshot was read completely: an export with a manifest is complete.
  PrivateFile file = folder->create("manifest.json");
  file.write(manifest);
  file.finish();
  folder->keep();
}

}  // namespace guildhall
