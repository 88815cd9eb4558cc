#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"

namespace guildhall {

// An active currency of ISO 4217, funds codes included. Codes without minor units (metals, XDR, XTS, XXX …) cannot be
// used for payments and are not in the table.
class Currency {
 public:
  Currency() = default;  // USD, the contract's default

  // Accepts codes in upper case only.
  static std::optional<Currency> parse(std::string_view code);

  std::string_view code() const { return {letters_, 3}; }
  int minor_units() const { return minor_units_; }  // digits after the point: USD 2, JPY 0, KWD 3
  bool operator==(const Currency&) const = default;

 private:
  char letters_[3] = {'U', 'S', 'D'};
  std::uint8_t minor_units_ = 2;
};

}  // namespace guildhall
