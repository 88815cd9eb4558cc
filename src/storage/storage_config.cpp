#include "storage/storage_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<StorageConfig>> StorageConfig::variables() {
  return {
      {"DATABASE_URL", "", &StorageConfig::database_url, text_with_prefix({"sqlite:", "postgresql://", "postgres://"}),
       "`sqlite:<path>` or `postgresql://…`; default `sqlite:` + `DATA_DIR` + `/guildhall.db`.", Exposure::url},
      {"DATABASE_READ_URL", "", &StorageConfig::database_read_url, text_with_prefix({"postgresql://", "postgres://"}),
       "A streaming replica of PostgreSQL, from which lists, reports and exports are read.", Exposure::url},
      {"DATABASE_CONNECTIONS", "16", &StorageConfig::database_connections, integer(1, 200),
       "PostgreSQL connections of a node for transactions, 1 to 200."},
      {"SQLITE_GATHERED_LOG", "on", &StorageConfig::sqlite_gathered_log, parse_switch,
       "`on`: a commit writes its part of SQLite's log in one piece; `off`: SQLite writes it page by page."},
      {"SLOW_STATEMENT_MS", "0", &StorageConfig::slow_statement_ms, integer(0, 3'600'000),
       "Statements of the database that take this long are logged, without their values; 0: none."},
  };
}

}  // namespace guildhall
