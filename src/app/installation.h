#pragma once

#include <memory>

#include "base/ids.h"
#include "storage/storage.h"

namespace guildhall {

// Opens the database of an installation for a command that only reads it, with or without a running server. Throws
// std::runtime_error with a sentence for the operator: the database does not exist or is not one of Guildhall's, or its
// schema is not the one that this program reads.
std::unique_ptr<ReadOnlyDatabase> open_installation(const std::string& url);

// Throws std::runtime_error when the database has no such tenant. A deleted tenant counts: its records are still there.
void require_tenant(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
