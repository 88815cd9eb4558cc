#include "outbound/quoted_printable.h"

#include <fmt/format.h>

#include "base/encoding.h"

namespace guildhall::outbound {
namespace {

constexpr std::size_t line_characters_max = 76;

// Appends a line without its end. A long one is broken by a `=`, which a reader removes.
void append_line(std::string& out, std::string_view line) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool is_space = c == ' ' || c == '\t';
    const bool is_plain = is_space ? i + 1 < line.size() : c > ' ' && c <= '~' && c != '=';
    const std::string written = is_plain ? std::string(1, c) : fmt::format("={:02X}", static_cast<unsigned char>(c));
    if (length + written.size() >= line_characters_max) {
      out += "=\r\n";
      length = 0;
    }
    out += written;
    length += written.size();
  }
}

}  // namespace

std::string quoted_printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    append_line(out, line);
    out += "\r\n";
  }
  return out;
}

std::string from_quoted_printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    std::size_t taken = 1;
    if (c != '=') {
      out += c;
    } else if (text.starts_with("=\r\n")) {
      taken = 3;
    } else if (text.starts_with("=\n")) {
      taken = 2;
    } else if (const auto byte = from_hex(text.substr(1, 2)); byte && byte->size() == 1) {
      out += *byte;
      taken = 3;
    } else {
      out += c;
    }
    text.remove_prefix(taken);
  }
  return out;
}

}  // namespace guildhall::outbound
