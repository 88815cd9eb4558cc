#pragma once

#include <string>

#include "base/ascii.h"
#include "base/codec.h"

namespace guildhall {

// Text that may become part of an HTTP header: a credential, a key. A line break in one would start a header or a
// request of its own.
template <std::size_t Max>
struct VisibleAscii {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <std::size_t Max>
struct Codec<VisibleAscii<Max>> : PlainCodec {
  static void decode(JsonValue value, VisibleAscii<Max>& out, Decoder& decoder) {
    if (!decode_text(value, out.value, Max, decoder)) return;
    if (is_blank(out.value)) return decoder.problem("is required");
    if (!is_visible_ascii(out.value)) decoder.problem("must be visible ASCII characters, without spaces");
  }
  static void encode(std::string& out, const VisibleAscii<Max>& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "string"}, {"minLength", 1}, {"maxLength", Max}, {"pattern", "^[!-~]+$"}}).text);
  }
};

}  // namespace guildhall
