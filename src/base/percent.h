#pragma once

#include "base/codec.h"
#include "base/money.h"

namespace guildhall {

// A percentage of 1 to 100 with up to two decimals, held as hundredths of a percent so that shares are exact.
struct Percent {
  std::int64_t hundredths = 100;

  auto operator<=>(const Percent&) const = default;
};

// A share of an amount, with its rounding error: exact share × 10,000 = 10,000 × cents + rest.
struct Share {
  Cents cents;
  std::int64_t rest_ten_thousandths = 0;  // of a cent; negative when it was rounded up
};

// Rounds half up, with integer arithmetic.
Share share_of(Cents amount, Percent percent);

// `12.5`, `10`, `33.33`
std::string to_string(Percent percent);

template <>
struct Codec<Percent> : PlainCodec {
  static void decode(JsonValue value, Percent& out, Decoder& decoder);
  static void encode(std::string& out, Percent value) { out += to_string(value); }
  static void schema(Schema& schema) { schema.raw(R"({"type":"number","minimum":1,"maximum":100})"); }
};

}  // namespace guildhall
