#pragma once

#include <string>
#include <string_view>

// Passwords as Argon2id (64 MiB, 2 passes). Every call blocks for about a tenth of a second: call these from
// a WorkerPool, never from a loop. They throw Failure unavailable when the memory is not to be had.
namespace guildhall {

// Salt and cost are part of the text.
std::string hash_password(std::string_view password);

// False also for a text that is no hash.
bool verify_password(std::string_view hash, std::string_view password);

// The hash of a password nobody knows. Verifying against it when there is no such user makes that case take
// as long as a wrong password, so the time does not tell which names exist. Made once, at the first call.
const std::string& absent_password_hash();

}  // namespace guildhall
