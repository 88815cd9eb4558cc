#include "http/page.h"

#include "base/encoding.h"

namespace guildhall::http {

std::string Position::cursor() const {
  return base64url(fmt::format("{}.{}", created_at.ms, id));
}

Position position_of(const ListQuery& query) {
  Position position;
  if (!query.cursor) return position;
  const auto text = from_base64url(*query.cursor);
  if (text && simdjson::validate_utf8(*text) && text->find('\0') == std::string::npos) {
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), position.created_at.ms);
    if (error == std::errc() && end != text->data() + text->size() && *end == '.') {
      position.id.assign(end + 1, text->data() + text->size());
      return position;
    }
  }
  throw invalid_field("cursor", "must be a nextCursor of this list");
}

}  // namespace guildhall::http
