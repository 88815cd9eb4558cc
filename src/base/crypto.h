#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// All functions are safe to call from several threads. They throw std::runtime_error when the library itself fails (out
// of memory, missing algorithm).
namespace guildhall {

using Sha256 = std::array<unsigned char, 32>;

Sha256 sha256(std::string_view message);

// HMAC-SHA256 under one key. May be used from several threads at once; each thread keeps a prepared context
// of the key it used last, so signing costs about a microsecond.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);
  ~HmacSha256();
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;

  Sha256 sign(std::string_view message) const;
  bool verify(std::string_view message, std::string_view signature_bytes) const;

 private:
  std::string key_;
  std::uint64_t serial_;  // identifies the key in the threads' contexts; never used twice
};

// The time that it takes depends only on the lengths.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// Returns false also for a key that does not have 32 bytes or a signature that does not have 64.
bool verify_ed25519(std::string_view public_key_bytes, std::string_view message, std::string_view signature_bytes);

// A key pair like the chat platform's, for tests and `guildhall chat simulate`.
struct Ed25519Key {
  std::string public_key_bytes;
  std::string secret_key_bytes;
};
Ed25519Key ed25519_from_seed(std::string_view seed_bytes);
std::string sign_ed25519(const Ed25519Key& key, std::string_view message);

// Returns bytes from the operating system's random generator.
std::string random_bytes(std::size_t count);

}  // namespace guildhall
