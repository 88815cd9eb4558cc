#pragma once

#include <string>
#include <string_view>

// The differences between two versions of a record, as audit entries keep them. Internal to the audit trail.
namespace guildhall {

// So that an entry, with its ids and names, has at most 16 KiB.
constexpr std::size_t changes_bytes_max = 15 * 1024;

// Appends `"key":{"before":…,"after":…}` for a value that differs, after a comma unless `changes` ends with '{'. Of two
// lists only the elements that differ are appended, as `"key[2]"`, with null for an element that only one of them has.
void append_change(std::string& changes, std::string_view key, std::string_view before, std::string_view after);

// The changes, a JSON object, with at most changes_bytes_max bytes. Where they have more, long values are replaced by
// `{"cut":"<their beginning>","bytes":<their length>}`; when that is not enough, the last entries are replaced by
// `"(more)":{"omitted":<their number>}`.
std::string bounded_changes(std::string changes);

}  // namespace guildhall
