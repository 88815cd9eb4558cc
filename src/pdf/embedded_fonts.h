#pragma once

#include <string_view>

// The font files that cmake/fonts.cmake puts into the program.
namespace guildhall::pdf {

std::string_view embedded_regular_font();
std::string_view embedded_bold_font();

}  // namespace guildhall::pdf
