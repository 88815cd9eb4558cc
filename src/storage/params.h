#pragma once

#include "storage/database.h"

namespace guildhall {

// Throws Failure invalid for text that is not valid UTF-8 or holds a NUL. PostgreSQL cannot store either, and
// would cut a text at its NUL; both engines refuse them, so that they agree.
void check_text(const Query& query);

}  // namespace guildhall
