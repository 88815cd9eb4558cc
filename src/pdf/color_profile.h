#pragma once

#include <string>

namespace guildhall::pdf {

// An ICC profile of the colour space sRGB, which says what the colours of a document mean.
std::string srgb_profile();

}  // namespace guildhall::pdf
