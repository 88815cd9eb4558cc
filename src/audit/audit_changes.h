#pragma once

#include <string>
#include <string_view>

// The format in which audit entries store the differences between two versions of a record. Internal to this module.
namespace guildhall {

// Limits an entry, including its ids and names, to 16 KiB.
constexpr std::size_t changes_bytes_max = 15 * 1024;

// Appends `"key":{"before":…,"after":…}` for a value that differs, after a comma unless `changes` ends with '{'. Of two
// lists only the elements that differ are appended, as `"key[2]"`, with null for an element that only one of them has.
void append_change(std::string& changes, std::string_view key, std::string_view before, std::string_view after);

// Limits the changes, a JSON object, to changes_bytes_max bytes. Long values are replaced by `{"cut":"<their
// beginning>","bytes":<their length>}`; when that is not enough, the last members are replaced by
// `"(more)":{"omitted":<their number>}`.
std::string bounded_changes(std::string changes);

}  // namespace guildhall
