#include "features/orders/order_number.h"

#include <string_view>

#include "base/crypto.h"

namespace guildhall {

std::string make_order_number() {
  constexpr std::string_view alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const std::string random = random_bytes(10);
  std::string number;
  for (std::size_t i = 0; i < random.size(); ++i) {
    if (i == 5) number += '-';
    number += alphabet[static_cast<unsigned char>(random[i]) % alphabet.size()];
  }
  return number;
}

}  // namespace guildhall
