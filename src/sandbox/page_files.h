#pragma once

#include "features/console/embedded_files.h"

namespace guildhall {

// The files of web/sandbox. Empty if the binary was built without them.
std::span<const EmbeddedFile> sandbox_files();

}  // namespace guildhall
