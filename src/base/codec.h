#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/decoder.h"
#include "base/ids.h"
#include "base/instant.h"
#include "base/json_writer.h"

// Codecs: decoding, checking, encoding and describing of JSON values. Here are those of text, numbers, ids, times and
// lists. base/names.h has those of enums, base/presence.h those of members that may be absent, null or hidden,
// base/field_types.h those of the domain's types, and base/declared.h the one of structs.
namespace guildhall {

template <class T>
struct Codec;

template <class T>
concept Coded = requires(JsonValue value, T& out, Decoder& decoder, std::string& text, Schema& schema) {
  Codec<T>::decode(value, out, decoder);
  Codec<T>::encode(text, out);
  Codec<T>::schema(schema);
};

struct PlainCodec {
  static constexpr bool required = true;
  static constexpr bool hidden = false;
  static constexpr bool is_text = false;  // any text is a value of it, so that blank text of an optional one is null
};

struct TextCodec : PlainCodec {
  static constexpr bool is_text = true;
};

constexpr std::size_t text_characters_max = 10'000;
constexpr std::size_t key_characters_max = 255;        // keys that people or providers choose; they are indexed
constexpr std::size_t reference_characters_max = 200;  // ids of other records

// Decodes text of a bounded number of characters. Returns false, and adds a problem, when the value is not such a text.
bool decode_text(JsonValue value, std::string& out, std::size_t characters_max, Decoder& decoder);
// The same for text that must not be blank: white space alone counts as missing.
bool decode_required_text(JsonValue value, std::string& out, std::size_t characters_max, Decoder& decoder);
bool is_blank(std::string_view text);
bool is_blank(JsonValue value, const Decoder& decoder);  // always false for a stored value
std::size_t characters_in(std::string_view utf8);

// Text as sent, possibly empty.
template <>
struct Codec<std::string> : TextCodec {
  static void decode(JsonValue value, std::string& out, Decoder& decoder) {
    decode_text(value, out, text_characters_max, decoder);
  }
  static void encode(std::string& out, const std::string& value) { json::append_string(out, value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

// Text that must not be blank: white space alone counts as missing.
template <std::size_t Max = text_characters_max, std::size_t Min = 1>
struct Text {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <std::size_t Max, std::size_t Min>
struct Codec<Text<Max, Min>> : TextCodec {
  static void decode(JsonValue value, Text<Max, Min>& out, Decoder& decoder) {
    if (!decode_required_text(value, out.value, Max, decoder)) return;
    if (characters_in(out.value) < Min && !decoder.from_store()) {
      decoder.problem(fmt::format("must have at least {} characters", Min));
    }
  }
  static void encode(std::string& out, const Text<Max, Min>& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "string"}, {"minLength", Min}, {"maxLength", Max}}).text);
  }
};

using Key = Text<key_characters_max>;
using Reference = Text<reference_characters_max>;

struct Email {
  std::string value;
  operator const std::string&() const { return value; }  // NOLINT(google-explicit-constructor)
};
bool is_email(std::string_view text);

template <>
struct Codec<Email> : TextCodec {
  static void decode(JsonValue value, Email& out, Decoder& decoder);
  static void encode(std::string& out, const Email& value) { json::append_string(out, value.value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"email"})"); }
};

template <class Tag>
struct Codec<Id<Tag>> : TextCodec {
  static void decode(JsonValue value, Id<Tag>& out, Decoder& decoder) {
    std::string text;
    if (decode_required_text(value, text, reference_characters_max, decoder)) out = Id<Tag>(std::move(text));
  }
  static void encode(std::string& out, const Id<Tag>& value) { json::append_string(out, value.text()); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string"})"); }
};

template <>
struct Codec<bool> : PlainCodec {
  static void decode(JsonValue value, bool& out, Decoder& decoder);
  static void encode(std::string& out, bool value) { out += value ? "true" : "false"; }
  static void schema(Schema& schema) { schema.raw(R"({"type":"boolean"})"); }
};

// Decodes 1 and 1.0, but not 1.5 or "1", for which it adds a problem that names the range.
void decode_integer(JsonValue value, std::int64_t& out, std::int64_t min, std::int64_t max, Decoder& decoder);

constexpr std::int64_t safe_integer_max = (std::int64_t{1} << 53) - 1;

template <>
struct Codec<std::int64_t> : PlainCodec {
  static void decode(JsonValue value, std::int64_t& out, Decoder& decoder) {
    decode_integer(value, out, -safe_integer_max, safe_integer_max, decoder);
  }
  static void encode(std::string& out, std::int64_t value) { json::append_integer(out, value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"integer"})"); }
};

// An integer within bounds.
template <std::int64_t Min, std::int64_t Max>
struct Bounded {
  std::int64_t value = Min;
  operator std::int64_t() const { return value; }  // NOLINT(google-explicit-constructor)
};

template <std::int64_t Min, std::int64_t Max>
struct Codec<Bounded<Min, Max>> : PlainCodec {
  static void decode(JsonValue value, Bounded<Min, Max>& out, Decoder& decoder) {
    decode_integer(value, out.value, Min, Max, decoder);
  }
  static void encode(std::string& out, Bounded<Min, Max> value) { json::append_integer(out, value.value); }
  static void schema(Schema& schema) {
    schema.raw(json::object({{"type", "integer"}, {"minimum", Min}, {"maximum", Max}}).text);
  }
};

template <>
struct Codec<Instant> : PlainCodec {
  static void decode(JsonValue value, Instant& out, Decoder& decoder);
  static void encode(std::string& out, Instant value);
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"date-time"})"); }
};

template <class T>
struct Codec<std::vector<T>> : PlainCodec {
  static void decode(JsonValue value, std::vector<T>& out, Decoder& decoder) {
    simdjson::dom::array array;
    if (value.get(array) != simdjson::SUCCESS) return decoder.problem("must be a list");
    out.clear();
    std::size_t index = 0;
    for (const JsonValue element : array) {
      const Decoder::Step step(decoder, index++);
      Codec<T>::decode(element, out.emplace_back(), decoder);
    }
  }
  static void encode(std::string& out, const std::vector<T>& value) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ',';
      Codec<T>::encode(out, value[i]);
    }
    out += ']';
  }
  static void schema(Schema& schema) {
    schema.raw(R"({"type":"array","items":)");
    Codec<T>::schema(schema);
    schema.raw("}");
  }
};

// Only for schemas: one of several shapes.
template <class... T>
struct AnyOf {};

template <class First, class... Rest>
struct Codec<AnyOf<First, Rest...>> {
  static void schema(Schema& schema) {
    schema.raw(R"({"anyOf":[)");
    Codec<First>::schema(schema);
    ((schema.raw(","), Codec<Rest>::schema(schema)), ...);
    schema.raw("]}");
  }
};

}  // namespace guildhall
