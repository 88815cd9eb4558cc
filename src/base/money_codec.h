#pragma once

#include "base/codec.h"
#include "base/currency.h"
#include "base/money.h"

// Money and currencies on the wire.
namespace guildhall {

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

}  // namespace guildhall
