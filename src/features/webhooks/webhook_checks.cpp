#include "features/webhooks/webhook_checks.h"

#include "base/crypto.h"
#include "base/decoder.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::size_t id_bytes_max = 255;

}  // namespace

Failure bad_signature() {
  return {Failure::Kind::unauthenticated, "INVALID_SIGNATURE", "The signature is missing or does not fit the body."};
}

Failure no_webhook_secret(std::string_view variable) {
  return {Failure::Kind::internal, "WEBHOOK_SECRET_MISSING",
          fmt::format("{} is not set, so nobody's events can be verified.", variable)};
}

void require_json_object(std::string_view body) {
  decode_document(body, [](JsonValue, Decoder&) {});
}

std::string event_key(const std::string& provider_id, std::string_view body) {
  if (!provider_id.empty() && provider_id.size() <= id_bytes_max) return provider_id;
  return "sha256:" + hex(sha256(body));
}

}  // namespace guildhall
