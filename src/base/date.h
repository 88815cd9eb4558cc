#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/codec.h"

namespace guildhall {

// A date of the Gregorian calendar, without a time zone.
struct Date {
  std::chrono::sys_days days{};

  auto operator<=>(const Date&) const = default;
};

std::string to_string(Date date);  // `2026-11-16`
std::optional<Date> parse_date(
    std::string_view text);  // from 2000-01-01 to 2037-12-31: the years with known time zones

template <>
struct Codec<Date> : PlainCodec {
  static void decode(JsonValue value, Date& out, Decoder& decoder);
  static void encode(std::string& out, Date value) { json::append_string(out, to_string(value)); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"string","format":"date"})"); }
};

}  // namespace guildhall
