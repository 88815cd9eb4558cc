#pragma once

#include <string>
#include <string_view>

#include "outbound/web_push.h"

// The other side of web push: what a browser and its push service do with a message.
namespace guildhall::test {

// Throws std::runtime_error if the message was not encrypted for this browser.
std::string decrypted_push(std::string_view body, const outbound::P256Key& browser, std::string_view auth_secret);

struct VapidHeader {
  std::string claims;        // JSON
  std::string public_bytes;  // of the sender
};

// Checks the signature of an Authorization header. Throws std::runtime_error if it is wrong.
VapidHeader checked_vapid(std::string_view header);

}  // namespace guildhall::test
