#include "audit/audit_changes.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "base/json_writer.h"

namespace guildhall {
namespace {

constexpr std::string_view before_key = R"({"before":)";
constexpr std::string_view after_key = R"(,"after":)";

// Returns the end of the JSON value at the beginning of the text, which is JSON that this program has written.
std::size_t end_of_value(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (depth == 0 && (c == ',' || c == ':' || c == ']' || c == '}')) return i;
    if (c == '"') quoted = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
  }
  return text.size();
}

// Splits a list into its elements, or an object into its keys and values alternately.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  text.remove_prefix(1);
  while (text.size() > 1) {
    const std::size_t end = end_of_value(text);
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return parts;
}

bool is_list(std::string_view json) {
  return json.starts_with('[');
}

void append_pair(std::string& changes, std::string_view key, std::string_view before, std::string_view after) {
  if (!changes.ends_with('{')) changes += ',';
  json::append_string(changes, key);
  changes += ':';
  changes.append(before_key).append(before).append(after_key).append(after) += '}';
}

// Elements at the beginning and at the end that are the same are left out; the others are compared one by one.
void append_list_change(std::string& changes, std::string_view key, std::string_view before, std::string_view after) {
  const auto old_elements = parts_of(before), new_elements = parts_of(after);
  const std::size_t common = std::min(old_elements.size(), new_elements.size());
  std::size_t first = 0, last = 0;
  while (first < common && old_elements[first] == new_elements[first]) ++first;
  while (last < common - first && old_elements.end()[-1 - static_cast<std::ptrdiff_t>(last)] ==
                                      new_elements.end()[-1 - static_cast<std::ptrdiff_t>(last)]) {
    ++last;
  }
  const auto element = [&](const std::vector<std::string_view>& list, std::size_t i) {
    return i < list.size() - last ? list[i] : std::string_view("null");
  };
  for (std::size_t i = first; i < std::max(old_elements.size(), new_elements.size()) - last; ++i) {
    const std::string_view was = element(old_elements, i), is = element(new_elements, i);
    if (was != is) append_pair(changes, fmt::format("{}[{}]", key, i), was, is);
  }
}

struct ChangedMember {
  std::string_view key;  // with its quotes
  std::string_view value;

  bool of_an_element() const { return key.ends_with("]\""); }
};

void append_cut(std::string& out, std::string_view value, std::size_t bytes_max) {
  if (value.size() <= bytes_max) {
    out += value;
    return;
  }
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xc0) == 0x80) --end;  // never cut inside a character
  out += json::object({{"cut", value.substr(0, end)}, {"bytes", value.size()}}).text;
}

std::string cut_change(const ChangedMember& change, std::size_t value_bytes_max) {
  std::string out(change.key);
  out += ':';
  if (!change.value.starts_with(before_key)) {
    append_cut(out, change.value, value_bytes_max);
    return out;
  }
  const std::string_view rest = change.value.substr(before_key.size());
  const std::size_t end = end_of_value(rest);
  out += before_key;
  append_cut(out, rest.substr(0, end), value_bytes_max);
  out += after_key;
  const std::string_view after = rest.substr(std::min(rest.size(), end + after_key.size()));
  append_cut(out, after.substr(0, end_of_value(after)), value_bytes_max);
  return out + "}";
}

// Joins as many changes as fit, those of whole fields first.
std::string joined(std::vector<ChangedMember>& changes, std::size_t value_bytes_max, bool& complete) {
  constexpr std::size_t reserved = 64;  // bytes for the note about omitted changes
  std::string out = "{";
  std::size_t added = 0;
  for (const ChangedMember& change : changes) {
    const std::string text = cut_change(change, value_bytes_max);
    if (out.size() + text.size() + reserved > changes_bytes_max) break;
    if (added++ > 0) out += ',';
    out += text;
  }
  complete = added == changes.size();
  if (complete) return out + "}";
  if (added > 0) out += ',';
  return out + R"json("(more)":)json" + json::object({{"omitted", changes.size() - added}}).text + "}";
}

}  // namespace

void append_change(std::string& changes, std::string_view key, std::string_view before, std::string_view after) {
  if (before == after) return;
  if (is_list(before) && is_list(after)) return append_list_change(changes, key, before, after);
  append_pair(changes, key, before, after);
}

std::string bounded_changes(std::string changes) {
  if (changes.size() <= changes_bytes_max) return changes;
  std::vector<ChangedMember> all;
  const auto parts = parts_of(changes);
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) all.push_back({parts[i], parts[i + 1]});
  std::ranges::stable_partition(all, [](const ChangedMember& change) { return !change.of_an_element(); });
  bool complete = false;
  std::string bounded;
  for (const std::size_t value_bytes_max : {4096, 1024, 256, 64, 16}) {
    bounded = joined(all, value_bytes_max, complete);
    if (complete) break;
  }
  return bounded;
}

}  // namespace guildhall
