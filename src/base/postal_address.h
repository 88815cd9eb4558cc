#pragma once

#include "base/declared.h"

// The fields that postal addresses have in common.
namespace guildhall {

constexpr std::size_t address_characters_max = 200;

using AddressText = Text<address_characters_max>;
using Country = Text<address_characters_max, 2>;

}  // namespace guildhall
