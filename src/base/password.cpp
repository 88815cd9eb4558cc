#include "base/password.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <sodium.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/failure.h"

namespace guildhall {
namespace {

Failure no_memory() {
  return unavailable("The server is too busy to check a password.");
}

// Removes the prefix and the number after it from the text. Nothing if the text does not begin so.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + prefix.size(), end, number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return number;
}

}  // namespace

bool is_affordable_hash(std::string_view hash) {
  constexpr PasswordCost most;  // not password_cost, which tests lower
  if (hash.size() >= crypto_pwhash_STRBYTES) return false;
  const auto memory_kib = take_number(hash, "$argon2id$v=19$m=");
  const auto passes = take_number(hash, ",t=");
  return memory_kib && passes && hash.starts_with(",p=1$") && *memory_kib <= most.memory_bytes / 1024 &&
         *passes <= most.passes;
}

std::string hash_password(std::string_view password) {
  char hash[crypto_pwhash_STRBYTES];
  if (crypto_pwhash_str(hash, password.data(), password.size(), password_cost.passes, password_cost.memory_bytes) !=
      0) {
    throw no_memory();
  }
  return hash;
}

bool verify_password(std::string_view hash, std::string_view password) {
  const std::string terminated(is_affordable_hash(hash) ? hash : absent_password_hash());
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
