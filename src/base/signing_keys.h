#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/crypto.h"

namespace guildhall {

// HMAC-SHA256 under several secrets, so that a secret can be replaced while older signatures stay valid: the first
// signs, all verify.
class SigningKeys {
 public:
  // At least one secret.
  explicit SigningKeys(const std::vector<std::string>& secrets);

  Sha256 sign(std::string_view message) const { return keys_.front().sign(message); }
  bool verify(std::string_view message, std::string_view signature_bytes) const;

 private:
  std::deque<HmacSha256> keys_;
};

}  // namespace guildhall
