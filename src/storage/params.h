#pragma once

#include "storage/database.h"

namespace guildhall {

// Throws Failure invalid for text that is not valid UTF-8 or contains NUL. PostgreSQL cannot store the former and would
// cut text at a NUL; both engines refuse both, so that they behave alike.
void check_text(const Query& query);

}  // namespace guildhall
