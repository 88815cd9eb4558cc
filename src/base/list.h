#pragma once

#include "base/codec.h"

namespace guildhall {

// A list with at least one element.
template <class T>
struct NonEmpty {
  std::vector<T> value;
  operator const std::vector<T>&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <class T>
struct Codec<NonEmpty<T>> : PlainCodec {
  static void decode(JsonValue value, NonEmpty<T>& out, Decoder& decoder) {
    Codec<std::vector<T>>::decode(value, out.value, decoder);
    if (value.is_array() && out.value.empty()) decoder.problem("must have at least one element");
  }
  static void encode(std::string& out, const NonEmpty<T>& value) { Codec<std::vector<T>>::encode(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"array","minItems":1,"items":)");
    Codec<T>::schema(schema);
    schema.raw("}");
  }
};

}  // namespace guildhall
