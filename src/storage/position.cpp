#include "storage/position.h"

#include "base/encoding.h"
#include "base/text.h"

namespace guildhall {

std::string Position::cursor() const {
  return base64url(fmt::format("{}.{}", created_at.ms, id));
}

static std::optional<Position> parse_cursor(std::string_view cursor) {
  const auto text = from_base64url(cursor);
  if (!text || !is_storable(*text)) return std::nullopt;
  Position position;
  const char* last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, position.created_at.ms);
  if (error != std::errc() || end == last || *end != '.') return std::nullopt;
  position.id.assign(end + 1, last);
  return position;
}

void Codec<Position>::decode(JsonValue value, Position& out, Decoder& decoder) {
  std::string_view text;
  auto position = value.get(text) == simdjson::SUCCESS ? parse_cursor(text) : std::nullopt;
  if (!position) return decoder.problem("must be a nextCursor of this list");
  out = std::move(*position);
}

}  // namespace guildhall
