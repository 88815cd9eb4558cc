#pragma once

#include <string>

#include "storage/tables.h"

// Rows as lines of text, and what a set of rows adds up to.
namespace guildhall {

// {"id":"…","created_at":1}: keys are the columns, JSON columns stay the text that they are.
std::string ndjson_line(const Table& table, const Table::Values& row);

// Throws std::runtime_error for a line that is not a row of the table.
Table::Values row_of_ndjson(const Table& table, const std::string& line);

// Whether the row is a grant of PlatformAdmin, which belongs to the installation and not to the tenant: it is neither
// exported nor imported.
bool grants_platform_admin(const Table& table, const Table::Values& row);

// Whether a table's rows belong to the installation and not to a tenant, so that they are neither exported nor
// imported. Work in progress does, since it would be done twice; so do the master key's check value and the chat
// platform's limits.
bool stays_with_installation(const Table& table);

std::string csv_header(const Table& table);
std::string csv_line(const Table::Values& row);  // text always quoted, null empty (RFC 4180)

// Independent of the rows' order, so that it can be compared between engines.
struct RowSum {
  std::int64_t rows = 0;
  std::uint64_t sum = 0;

  void add(const Table::Values& row);
  bool operator==(const RowSum&) const = default;
};

}  // namespace guildhall
