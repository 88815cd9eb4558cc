#include "base/url.h"

namespace guildhall {
namespace {

constexpr std::size_t url_characters_max = 2048;

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == ':' || c == '[' || c == ']';
}

}  // namespace

bool has_scheme(std::string_view url, std::string_view scheme) {
  return url.size() >= scheme.size() && std::equal(scheme.begin(), scheme.end(), url.begin(), [](char wanted, char c) {
           return wanted == (c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
         });
}

bool is_http_url(std::string_view text) {
  if (text.size() > url_characters_max || !std::all_of(text.begin(), text.end(), [](char c) {
        return c > 0x20 && c < 0x7f && c != '\\' && c != '"' && c != '<' && c != '>';
      })) {
    return false;
  }
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!has_scheme(text, scheme)) continue;
    const std::string_view host = text.substr(scheme.size(), text.find_first_of("/?", scheme.size()) - scheme.size());
    return !host.empty() && host.front() != ':' && std::all_of(host.begin(), host.end(), is_host_character);
  }
  return false;
}

std::string url_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    plain ? void(out += c) : void(out += fmt::format("%{:02X}", static_cast<unsigned char>(c)));
  }
  return out;
}

std::string header_url(std::string_view text) {
  std::string out;
  for (const char c : text) {
    c > 0x20 && c < 0x7f ? void(out += c) : void(out += fmt::format("%{:02X}", static_cast<unsigned char>(c)));
  }
  return out;
}

void Codec<Url>::decode(JsonValue value, Url& out, Decoder& decoder) {
  if (!decode_required_text(value, out.value, url_characters_max, decoder)) return;
  if (!is_http_url(out.value)) decoder.problem("must be a valid URL");
}

}  // namespace guildhall
