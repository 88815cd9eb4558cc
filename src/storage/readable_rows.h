#pragma once

#include "base/job_failures.h"
#include "storage/database.h"

namespace guildhall {

// A row whose first column is an id, and its record. Nothing if the row cannot be decoded.
template <class T>
struct ReadableRow {
  std::string id;
  std::string tenant;  // of a record that names it in the second column
  std::optional<T> record;
};

// As Tx::all(), for background jobs: a row that cannot be decoded is recorded as a failure and does not hide the
// others. `tenant` is for the log.
template <class T>
std::vector<ReadableRow<T>> readable_rows(Tx& tx, const Select<T>& select, const JobFailures& failures,
                                          std::string_view tenant = {}) {
  std::vector<ReadableRow<T>> rows;
  tx.run(select.query, [&](const Row& row) {
    rows.push_back({.id = std::string(row.text(0)), .tenant = std::string(tenant), .record = std::nullopt});
    ReadableRow<T>& read = rows.back();
    if constexpr (requires(T record) { record.tenant_id; }) read.tenant = row.text(1);
    failures.attempt({read.tenant, read.id}, [&] { read.record.emplace(select.read(row)); });
  });
  return rows;
}

}  // namespace guildhall
