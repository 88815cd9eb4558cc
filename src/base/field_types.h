#pragma once

#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/codec.h"
#include "base/currency.h"
#include "base/money.h"

// More types that members of a declared struct may have, besides those of base/codec.h: lists, text for headers, JSON
// of any shape, money, addresses.
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

// A JSON object of any shape, kept as its text: an address, metadata. Only the limit of the request body bounds it.
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

// Any JSON value, kept as its text: documents of other servers, or free-form fields.
struct RawJson {
  std::string text = "null";
};

template <>
struct Codec<RawJson> : PlainCodec {
  static void decode(JsonValue value, RawJson& out, Decoder&) { out.text = simdjson::minify(value); }
  static void encode(std::string& out, const RawJson& value) { out += value.text; }
  static void schema(Schema& schema) { schema.raw("{}"); }
};

template <>
struct Codec<Cents> : PlainCodec {
  static void decode(JsonValue value, Cents& out, Decoder& decoder) {
    std::int64_t cents = 0;
    decode_integer(value, cents, 0, Cents::value_max, decoder);
    out = Cents(cents);
  }
  static void encode(std::string& out, Cents value) { json::append_integer(out, value.value()); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "integer"}, {"minimum", 0}, {"maximum", Cents::value_max}}).text);
  }
};

template <>
struct Codec<Currency> : PlainCodec {
  static void decode(JsonValue value, Currency& out, Decoder& decoder) {
    std::string_view code;
    const auto known = value.get(code) == simdjson::SUCCESS ? Currency::parse(code) : std::nullopt;
    if (!known) return decoder.problem("must be an active ISO 4217 currency code in upper case, such as USD");
    out = *known;
  }
  static void encode(std::string& out, Currency value) { json::append_string(out, value.code()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","minLength":3,"maxLength":3})"); }
};

template <>
struct Codec<Percent> : PlainCodec {
  static void decode(JsonValue value, Percent& out, Decoder& decoder);
  static void encode(std::string& out, Percent value) { out += to_string(value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"number","minimum":1,"maximum":100})"); }
};

// The fields that postal addresses have in common.
constexpr std::size_t address_characters_max = 200;

using AddressText = Text<address_characters_max>;
using Country = Text<address_characters_max, 2>;

}  // namespace guildhall
