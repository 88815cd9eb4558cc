#include "api/page.h"

namespace guildhall::api {

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
  if (text_.size() == start) text_.resize(before);  // the record has no items, so it needs no comma
  ++records_;
  return true;
}

std::string PageWriter::finish(const std::optional<std::string>& next_cursor, std::string_view more) && {
  text_ += R"(],"nextCursor":)";
  Codec<std::optional<std::string>>::encode(text_, next_cursor);
  text_ += more;
  text_ += '}';
  text_.shrink_to_fit();
  return std::move(text_);
}

}  // namespace guildhall::api
