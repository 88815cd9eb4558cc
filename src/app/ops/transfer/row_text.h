#pragma once

#include <string>

#include "storage/tables.h"

// Converts rows to lines of text and back, and computes checksums of sets of rows.
namespace guildhall {

// {"id":"…","created_at":1}: the keys are the columns; JSON columns are written as text.
std::string ndjson_line(const Table& table, const Table::Values& row);

// Throws std::runtime_error for a line that is not a row of the table.
Table::Values row_of_ndjson(const Table& table, const std::string& line);

// Whether the row belongs to the installation and not to the tenant, so that it is not exported: a grant of
// PlatformAdmin or of another tenant's user, and the identity by which the configuration's admin is found. Import
// refuses such rows.
bool stays_with_installation(const Table& table, const Table::Values& row);

// Whether a table's rows belong to the installation and not to a tenant, so that they are neither exported nor
// imported. This applies to work in progress, which would be done twice, to the master key's check value, to
// the key for web push and the subscriptions that were made with it, to the chat platform's limits and to the totals of
// reports, which import computes again.
bool stays_with_installation(const Table& table);

std::string csv_header(const Table& table);
// Text is always quoted, null is empty (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe
// in front; numbers stay numbers.
std::string csv_line(const Table::Values& row);

// A checksum of a set of rows. It does not depend on their order, so it can be compared between engines.
struct RowSum {
  std::int64_t rows = 0;
  std::uint64_t sum = 0;

  void add(const Table::Values& row);
  bool operator==(const RowSum&) const = default;
};

}  // namespace guildhall
