#pragma once

#include "base/ids.h"
#include "storage/database.h"

namespace guildhall {

// Counts the bytes of all files of a tenant whose files were just imported.
void count_imported_media(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
