#include "base/url.h"

#include <boost/url/encode.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include "base/ascii.h"

namespace guildhall {
namespace {

namespace urls = boost::urls;

constexpr std::size_t url_characters_max = 2048;

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == ':' || c == '[' || c == ']';
}

}  // namespace

bool has_scheme(std::string_view url, std::string_view scheme) {
  return is_text(url.substr(0, scheme.size()), scheme);
}

bool is_http_url(std::string_view text) {
  if (text.size() > url_characters_max || !std::all_of(text.begin(), text.end(), [](char c) {
        return is_visible_ascii(c) && c != '\\' && c != '"' && c != '<' && c != '>';
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
  return urls::encode(text, urls::unreserved_chars);
}

std::string header_url(std::string_view text) {
  std::string out;
  for (const char c : text) {
    is_visible_ascii(c) ? void(out += c) : void(out += fmt::format("%{:02X}", static_cast<unsigned char>(c)));
  }
  return out;
}

std::optional<std::string> url_decode(std::string_view text, bool plus_is_space) {
  const auto encoded = urls::make_pct_string_view(text);
  if (!encoded) return std::nullopt;
  return encoded->decode(urls::encoding_opts(plus_is_space));
}

void Codec<Url>::decode(JsonValue value, Url& out, Decoder& decoder) {
  if (!decode_required_text(value, out.value, url_characters_max, decoder)) return;
  if (!is_http_url(out.value)) decoder.problem("must be a valid URL");
}

}  // namespace guildhall
