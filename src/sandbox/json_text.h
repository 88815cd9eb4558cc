#pragma once

#include <string>
#include <string_view>

namespace guildhall::sandbox {

// The JSON text of the value at the pointer; `otherwise` when there is none or it is null.
std::string json_at(std::string_view document, std::string_view pointer, std::string otherwise);

}  // namespace guildhall::sandbox
