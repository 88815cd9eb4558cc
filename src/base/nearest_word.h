#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace guildhall {

// The candidate that a misspelt word was probably meant to be: at most two letters are wrong, missing, added or
// swapped with their neighbour, and not more than a third of the word. Nothing when there is none.
std::optional<std::string_view> nearest_word(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace guildhall
