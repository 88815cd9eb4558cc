#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/codec.h"

namespace guildhall {

// An absolute http or https address with a host, in printable ASCII, without user or password.
// docs/adr/0008-rules-for-urls.md says why no library decides this.
bool is_http_url(std::string_view text);

// Whether the address begins with the scheme, which is given in lower case and with its slashes: `https://`.
bool has_scheme(std::string_view url, std::string_view scheme);

// An address or path for a header such as Location: bytes that are not visible ASCII as %XX.
std::string header_url(std::string_view text);

// For a query or a form: everything but letters, digits and `-._~` as %XX.
std::string url_encode(std::string_view text);

// Percent-decoding of a path segment, or (with plus_is_space) of a query's key or value. Nothing when an escape is
// broken.
std::optional<std::string> url_decode(std::string_view text, bool plus_is_space = false);

struct Url {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <>
struct Codec<Url> : TextCodec {
  static void decode(JsonValue value, Url& out, Decoder& decoder);
  static void encode(std::string& out, const Url& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"uri"})"); }
};

}  // namespace guildhall
