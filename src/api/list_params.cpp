#include "api/list_params.h"

#include <charconv>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

// The mark, the length of the key, a colon, the key, the id.
std::optional<ListCursor> parse_cursor(std::string_view cursor) {
  const auto text = from_base64url(cursor);
  if (!text || !is_storable(*text) || text->size() < ListCursor::mark_characters) return std::nullopt;
  const char* const last = text->data() + text->size();
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text->data() + ListCursor::mark_characters, last, length);
  if (error != std::errc() || end == last || *end != ':') return std::nullopt;
  const std::string_view rest(end + 1, last);
  if (rest.size() < length) return std::nullopt;
  return ListCursor{text->substr(0, ListCursor::mark_characters),
                    {std::string(rest.substr(0, length)), std::string(rest.substr(length))}};
}

std::string value_text(const Value& value) {
  struct Text {
    std::string operator()(std::monostate) const { return "-"; }
    std::string operator()(const std::string& text) const { return fmt::format("{}:{}", text.size(), text); }
    std::string operator()(bool flag) const { return flag ? "t" : "f"; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
  };
  return std::visit(Text{}, value);
}

}  // namespace

std::string ListCursor::text() const {
  return base64url(fmt::format("{}{}:{}{}", mark, place.key.size(), place.key, place.id));
}

void Codec<ListCursor>::decode(JsonValue value, ListCursor& out, Decoder& decoder) {
  std::string_view text;
  auto cursor = value.get(text) == simdjson::SUCCESS ? parse_cursor(text) : std::nullopt;
  if (!cursor) return decoder.problem("must be a nextCursor of this list");
  out = std::move(*cursor);
}

void split_parameter(JsonValue value, FunctionRef<void(std::string_view)> each) {
  simdjson::dom::array repeated;
  if (value.get(repeated) == simdjson::SUCCESS) {
    for (const JsonValue one : repeated) split_parameter(one, each);
    return;
  }
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return each("");
  if (is_blank(text)) return;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    each(text.substr(0, comma));
    if (comma == text.size()) return;
    text.remove_prefix(comma + 1);
  }
}

void decode_metadata_filter(JsonValue value, std::optional<std::string>& entry, Decoder& decoder) {
  simdjson::dom::object given;
  if (value.get(given) != simdjson::SUCCESS || given.size() != 1) {
    return decoder.problem("must be one key and its value: metadata[key]=value");
  }
  for (const auto [key, member] : given) {
    const Decoder::Step step(decoder, key);
    std::string text;
    if (decode_text(member, text, metadata_bytes_max, decoder)) entry = metadata_entry(key, text);
  }
}

std::string api::list_mark(std::string_view query_type, const FilterValues& filters, std::string_view sort) {
  std::string text = fmt::format("{} {}", query_type, sort);
  for (const auto& [name, value] : filters.values) {
    if (!std::holds_alternative<std::monostate>(value)) text += fmt::format(" {}={}", name, value_text(value));
  }
  const Sha256 hash = sha256(text);
  return base64url(std::string_view(reinterpret_cast<const char*>(hash.data()), ListCursor::mark_bytes));
}

}  // namespace guildhall
