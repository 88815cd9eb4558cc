#include "base/signing_keys.h"

#include <algorithm>

namespace guildhall {

SigningKeys::SigningKeys(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) keys_.emplace_back(secret);
}

bool SigningKeys::verify(std::string_view message, std::string_view signature_bytes) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const HmacSha256& key) { return key.verify(message, signature_bytes); });
}

}  // namespace guildhall
