#pragma once

#include <string>

#include "base/codec.h"

namespace guildhall {

// Any JSON value, kept as text: documents of other systems and free-form fields.
struct RawJson {
  std::string text = "null";
};

template <>
struct Codec<RawJson> : PlainCodec {
  static void decode(JsonValue value, RawJson& out, Decoder&) { out.text = simdjson::minify(value); }
  static void encode(std::string& out, const RawJson& value) { out += value.text; }
  static void schema(Schema& schema) { schema.raw("{}"); }
};

}  // namespace guildhall
