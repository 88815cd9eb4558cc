#include "http/page.h"

#include "base/encoding.h"

namespace guildhall::http {

std::string Position::cursor() const {
  return base64url(fmt::format("{}.{}", created_at.ms, id));
}

static std::optional<Position> parse_cursor(std::string_view cursor) {
  const auto text = from_base64url(cursor);
  if (!text || !simdjson::validate_utf8(*text) || text->find('\0') != std::string::npos) return std::nullopt;
  Position position;
  const char* last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, position.created_at.ms);
  if (error != std::errc() || end == last || *end != '.') return std::nullopt;
  position.id.assign(end + 1, last);
  return position;
}

bool PageWriter::add(FunctionRef<void(std::string&)> append) {
  if (room() == 0) return false;
  const std::size_t before = text_.size();
  const bool first = text_.back() == '[';
  if (!first) text_ += ',';
  const std::size_t start = text_.size();
  append(text_);
  if (records_ > 0 && text_.size() > page_bytes_max) {
    text_.resize(before);
    return false;
  }
  if (text_.size() == start) text_.resize(before);  // a record without items
  ++records_;
  return true;
}

std::string PageWriter::finish(const std::optional<std::string>& next_cursor) && {
  text_ += R"(],"nextCursor":)";
  Codec<std::optional<std::string>>::encode(text_, next_cursor);
  text_ += '}';
  text_.shrink_to_fit();
  return std::move(text_);
}

}  // namespace guildhall::http

namespace guildhall {

void Codec<http::Position>::decode(JsonValue value, http::Position& out, Decoder& decoder) {
  std::string_view text;
  auto position = value.get(text) == simdjson::SUCCESS ? http::parse_cursor(text) : std::nullopt;
  if (!position) return decoder.problem("must be a nextCursor of this list");
  out = std::move(*position);
}

}  // namespace guildhall
