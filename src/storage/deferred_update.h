#pragma once

#include "storage/columns.h"

// Versioned updates that are deferred to the commit, for records whose rows are never deleted. When the record was
// changed since it was read, CASE yields NULL, the NOT NULL constraint of the version rejects it, and the transaction
// runs again.
namespace guildhall {

// "UPDATE orders SET status = $3, …, version = CASE WHEN true AND version + 1 = $9 THEN version + 1 END WHERE id = $1
// …"
//
// As versioned_update(), for write_versioned_later().
template <Declared S>
[[maybe_unused]] static std::string deferred_versioned_update(std::string_view table, std::size_t key_columns = 2) {
  std::string assignments, conditions;
  std::size_t number = 0;
  for (const Field& field : fields_of<S>()) {
    if (++number <= key_columns) {
      conditions += fmt::format("{}{} = ${}", conditions.empty() ? "" : " AND ", field.column, number);
      continue;
    }
    const std::string value = field.column == "version"
                                  ? fmt::format("CASE WHEN CAST(${} AS bigint) > 0", number) +
                                        guard(fmt::format(" AND version + 1 = ${}", number)) + " THEN version + 1 END"
                                  : fmt::format("${}", number);
    assignments += fmt::format("{}{} = {}", assignments.empty() ? "" : ", ", field.column, value);
  }
  return fmt::format("UPDATE {} SET {} WHERE {}", table, assignments, conditions);
}

// Increments the record's version and defers its update. The transaction fails with WriteRace if another one has
// written the record since it was read.
template <Declared S>
void write_versioned_later(Tx& tx, const Sql& statement, S& record) {
  ++record.version.value;
  tx.later({&statement, values_of(record)}, [](const ConstraintViolation& violation) {
    if (violation.constraint.ends_with("_version_not_null")) throw WriteRace();
  });
}

}  // namespace guildhall
