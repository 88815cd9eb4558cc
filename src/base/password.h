#pragma once

#include <string>
#include <string_view>

// Password hashes with Argon2id. Every call blocks for about a tenth of a second: call these from a WorkerPool, never
// from a loop. They throw Failure unavailable when there is not enough memory.
namespace guildhall {

struct PasswordCost {
  unsigned long long passes = 2;
  std::size_t memory_bytes = 64 << 20;
};

// The cost of new hashes. Only tests may change it, before their first sign-in, because they sign in very often.
inline PasswordCost password_cost;

// Returns the hash as text that includes the salt and the cost.
std::string hash_password(std::string_view password);

// Whether the text is an Argon2id hash that costs at most as much to verify as the hashes that this program makes. A
// hash names its own cost, and one from another installation could occupy the workers for minutes.
bool is_affordable_hash(std::string_view hash);

// Returns false also for a text that is not an affordable hash, after as much work as for a wrong password.
bool verify_password(std::string_view hash, std::string_view password);

// The hash of a random password, made once at the first call. A sign-in with an unknown username is verified against
// it, so that it takes as long as a wrong password and the time does not reveal which usernames exist.
const std::string& absent_password_hash();

}  // namespace guildhall
