#pragma once

#include <sqlite3.h>
#include <string>
#include <string_view>

namespace guildhall {

// The name that PostgreSQL would report for a constraint that SQLite describes only by its columns
// ("UNIQUE constraint failed: customers.tenant_id, customers.chat_id"): the unique index on them,
// `<table>_pkey` for a primary key. For a CHECK, the message contains the name. A not-null constraint is
// `<table>_<column>_not_null` on both engines. It is empty for foreign keys.
//
// Two unique indexes on the same columns of a table (partial ones) cannot be distinguished, so migrations avoid them.
std::string constraint_name(sqlite3* db, int extended_code, std::string_view message);

}  // namespace guildhall
