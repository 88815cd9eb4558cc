#include "base/field_types.h"

#include <cmath>

namespace guildhall {

void Codec<Percent>::decode(JsonValue value, Percent& out, Decoder& decoder) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS && number >= 1 && number <= 100) {
    const auto hundredths = static_cast<std::int64_t>(std::llround(number * 100));
    // Only a number that is the double nearest to a decimal with two places is equal to this quotient.
    if (static_cast<double>(hundredths) / 100 == number) {
      out.hundredths = hundredths;
      return;
    }
  }
  decoder.problem("must be a number from 1 to 100 with at most two decimals");
}

}  // namespace guildhall
