#pragma once

#include "storage/columns.h"
#include "storage/readable_rows.h"
#include "storage/storage.h"

namespace guildhall {

// Fills the column `search_text` of rows from before it existed. The program does this in the background and not a
// migration, since the databases disagree about case, and since a large shop must not wait for it.
template <Declared Record>
class SearchTextFill {
 public:
  explicit SearchTextFill(std::string_view table)
      : unfilled_(fmt::format("SELECT {} FROM {} WHERE search_text IS NULL LIMIT 500", columns<Record>(), table)),
        fill_(fmt::format("UPDATE {} SET search_text = $3 WHERE tenant_id = $1 AND id = $2 AND search_text IS NULL",
                          table)) {}

  // Fills some rows. Returns their number: 0 when all are filled. A row that cannot be decoded gets an empty text.
  template <class TextOf>
  std::int64_t fill_some(Tx& tx, TextOf text_of, const JobFailures& failures) const {
    const auto rows = readable_rows(tx, Select<Record>{{&unfilled_, {}}, read_row<Record>}, failures);
    for (const auto& [id, tenant, record] : rows) {
      tx.later({&fill_, params(tenant, id, record ? std::string(text_of(*record)) : std::string())});
    }
    return std::ssize(rows);
  }

 private:
  Sql unfilled_, fill_;
};

}  // namespace guildhall
