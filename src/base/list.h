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

// A list of texts, none of which may be blank: ids of products, roles of the chat platform.
template <std::size_t Max>
struct TextList {
  std::vector<std::string> value;
  operator const std::vector<std::string>&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <std::size_t Max>
struct Codec<TextList<Max>> : PlainCodec {
  static void decode(JsonValue value, TextList<Max>& out, Decoder& decoder) {
    simdjson::dom::array array;
    if (value.get(array) != simdjson::SUCCESS) return decoder.problem("must be a list");
    for (const JsonValue element : array) {
      const Decoder::Step step(decoder, out.value.size());
      decode_required_text(element, out.value.emplace_back(), Max, decoder);
    }
  }
  static void encode(std::string& out, const TextList<Max>& value) {
    Codec<std::vector<std::string>>::encode(out, value.value);
  }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"array","items":)");
    Codec<Text<Max>>::schema(schema);
    schema.raw("}");
  }
};

using ReferenceList = TextList<reference_characters_max>;
using KeyList = TextList<key_characters_max>;

}  // namespace guildhall
