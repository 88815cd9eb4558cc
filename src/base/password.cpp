#include "base/password.h"

#include <cerrno>
#include <cstring>
#include <sodium.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/failure.h"

namespace guildhall {
namespace {

Failure no_memory() {
  return unavailable("The server is too busy to check a password.");
}

}  // namespace

std::string hash_password(std::string_view password) {
  char hash[crypto_pwhash_STRBYTES];
  if (crypto_pwhash_str(hash, password.data(), password.size(), password_cost.passes, password_cost.memory_bytes) !=
      0) {
    throw no_memory();
  }
  return hash;
}

bool verify_password(std::string_view hash, std::string_view password) {
  const std::string terminated(hash);
  errno = 0;
  if (crypto_pwhash_str_verify(terminated.c_str(), password.data(), password.size()) == 0) return true;
  // The library returns the same result for a wrong password and for a lack of memory, which is not the user's error.
  if (errno == ENOMEM) throw no_memory();
  return false;
}

const std::string& absent_password_hash() {
  static const std::string hash = hash_password(base64url(random_bytes(32)));
  return hash;
}

}  // namespace guildhall
