#pragma once

#include "app/ops/transfer/row_check.h"
#include "app/ops/transfer/transfer.h"

// The requirements of import for the rows of each table. An export may come from anybody: a row is written only after
// it was read as the record type of its table and found to be within the limits of the API, and only as that type
// writes it.
namespace guildhall {

// The import in progress, for rules that depend on it.
struct Importing {
  TenantId tenant;
  const ImportOptions& options;
  Instant now;
};

// Checks one row, and replaces values that only this installation may decide. Adds what is wrong to the problems.
using RowCheck = std::function<void(Table::Values& row, const Importing& importing, Problems& problems)>;

struct ImportRule {
  std::string_view table;
  std::span<const Field> fields{};  // of the record type: all columns of the table
  std::function<RowCheck(const Table&)> check{};
  std::int64_t rows_max = std::numeric_limits<std::int64_t>::max();  // of a tenant
  bool is_derived = false;  // import computes the rows again from other tables, so those of the export are left out
};

// A rule whose rows are read as `Record` and must be valid as each of the `Inputs`. `adjust` is called with a record
// that is within the limits.
template <Declared Record, Coded... Inputs>
ImportRule rule(std::string_view table, void (*adjust)(Record&, const Importing&, Problems&) = nullptr) {
  return {.table = table, .fields = fields_of<Record>(), .check = [adjust](const Table& columns) -> RowCheck {
            return [adjust, places = places_in(columns, fields_of<Record>())](
                       Table::Values& row, const Importing& importing, Problems& problems) {
              Record record = checked_record<Record, Inputs...>(ExportedRow(row, places), problems);
              if (!problems.empty()) return;
              if (adjust != nullptr) collect_problems("", problems, [&] { adjust(record, importing, problems); });
              std::vector<Value> values = values_of(record);
              for (std::size_t i = 0; i < values.size(); ++i) row[places[i]] = std::move(values[i]);
            };
          }};
}

// A rule of rows that import computes again.
inline ImportRule derived(std::string_view table) {
  return {.table = table, .is_derived = true};
}

std::vector<ImportRule> people_rules();    // tenants, users, what they may do, and what they did
std::vector<ImportRule> shop_rules();      // products, customers, discounts, orders, and what follows from them
std::vector<ImportRule> money_rules();     // payments, refunds, the fund, memberships
std::vector<ImportRule> outgoing_rules();  // messages and webhooks

// The rule of the table; null if its rows belong to the installation and cannot be imported.
const ImportRule* import_rule(std::string_view table);

}  // namespace guildhall
