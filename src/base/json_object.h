#pragma once

#include "base/codec.h"

namespace guildhall {

// A JSON object of whatever shape, kept as its text: an address, metadata. Only the body's limit bounds it.
struct JsonObject {
  std::string text = "{}";
  bool operator==(const JsonObject&) const = default;
};

template <>
struct Codec<JsonObject> : PlainCodec {
  static void decode(JsonValue value, JsonObject& out, Decoder& decoder) {
    if (!value.is_object()) return decoder.problem("must be an object");
    out.text = simdjson::minify(value);
  }
  static void encode(std::string& out, const JsonObject& value) { out += value.text; }
  static void schema(Schema& schema) { schema.raw(R"({"type":"object"})"); }
};

}  // namespace guildhall
