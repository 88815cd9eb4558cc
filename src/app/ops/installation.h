#pragma once

#include <memory>

#include "base/actor.h"
#include "base/ids.h"
#include "storage/storage.h"

namespace guildhall {

// Opens the database of an installation for a command that only reads it, with or without a running server. Throws
// std::runtime_error with a sentence for the operator: the database does not exist or is not one of Guildhall's, or its
// schema is not the one that this program reads.
std::unique_ptr<ReadOnlyDatabase> open_installation(const std::string& url);

// The actor of changes that an operator makes with a command.
inline const Actor command_line_actor{ActorKind::SYSTEM, "command line", ""};

// A number of rows in a certificate of an erasure.
struct RowCount {
  std::string table;
  std::int64_t rows = 0;
};
BOOST_DESCRIBE_STRUCT(RowCount, (), (table, rows))

// Throws std::runtime_error when the database has no such tenant. A deleted tenant counts: its records are still there.
void require_tenant(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
