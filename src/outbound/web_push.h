#pragma once

#include <string>
#include <string_view>

#include "base/instant.h"
#include "outbound/http_client.h"

// Web push: RFC 8030 (requests), RFC 8291 (encryption) and RFC 8292 (identification of the sender, VAPID).
namespace guildhall::outbound {

// A key pair on the curve P-256.
struct P256Key {
  std::string public_bytes;   // an uncompressed point: 65 bytes
  std::string private_bytes;  // 32 bytes
};
P256Key make_p256_key();

// Whether the bytes are an uncompressed point of the curve.
bool is_p256_point(std::string_view bytes);

constexpr std::size_t push_secret_bytes = 16;

// The most bytes that a push message can have, so that every push service accepts it.
constexpr std::size_t push_bytes_max = 3'900;

// A browser's subscription, as its push service has issued it.
struct PushReceiver {
  std::string url;
  std::string public_bytes;  // a point of the curve
  std::string auth_secret;   // push_secret_bytes
};

// The body of a push message (aes128gcm). Only the browser can read it. Throws std::runtime_error if the receiver's key
// is no point of the curve.
std::string encrypt_push(std::string_view plain, const PushReceiver& receiver);

// The same with a given key pair and salt, which must be new for every message.
std::string encrypt_push(std::string_view plain, const PushReceiver& receiver, const P256Key& sender,
                         std::string_view salt);

// The header that tells the push service who sends. `contact` is an https or mailto address; it may be empty.
std::string vapid_authorization(const P256Key& key, std::string_view url, std::string_view contact, Instant now);

// A request with an encrypted message.
Request push_request(std::string_view plain, const PushReceiver& receiver, const P256Key& key, std::string_view contact,
                     Instant now);

}  // namespace guildhall::outbound
