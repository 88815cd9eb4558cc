#pragma once

#include <string>
#include <string_view>

// Passwords as Argon2id. Every call blocks for about a tenth of a second: call these from a WorkerPool, never from a
// loop. They throw Failure unavailable when the memory is not to be had.
namespace guildhall {

struct PasswordCost {
  unsigned long long passes = 2;
  std::size_t memory_bytes = 64 << 20;
};

// Of hashes that are made from now on. Only tests, which sign in all the time, may set it, before their first sign-in.
inline PasswordCost password_cost;

// Salt and cost are part of the text.
std::string hash_password(std::string_view password);

// False also for a text that is no hash.
bool verify_password(std::string_view hash, std::string_view password);

// The hash of a password nobody knows. Verifying against it when there is no such user makes that case take
// as long as a wrong password, so the time does not tell which names exist. Made once, at the first call.
const std::string& absent_password_hash();

}  // namespace guildhall
