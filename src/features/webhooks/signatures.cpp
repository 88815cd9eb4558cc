#include "features/webhooks/signatures.h"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <uninorm.h>
#include <vector>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::string_view shipping_prefix = "hmac-sha256-hex=";

struct BillingHeader {
  std::string_view timestamp;
  std::vector<std::string_view> signatures;
};

BillingHeader parse_billing(std::string_view header) {
  BillingHeader parsed;
  while (!header.empty()) {
    const std::string_view part = header.substr(0, header.find(','));
    header.remove_prefix(std::min(header.size(), part.size() + 1));
    if (part.starts_with("v1=")) parsed.signatures.push_back(part.substr(3));
    if (part.starts_with("t=") && parsed.timestamp.empty()) parsed.timestamp = part.substr(2);
  }
  return parsed;
}

std::optional<std::int64_t> parse_seconds(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return seconds;
}

// Only times near now are accepted, so the arithmetic cannot overflow.
bool is_near(std::int64_t seconds, Instant now) {
  const std::int64_t today = now.ms / 1000, tolerance = signature_tolerance.count();
  return seconds >= today - tolerance && seconds <= today + tolerance;
}

std::string hmac_hex(std::string_view key, std::string_view message) {
  return hex(HmacSha256(key).sign(message));
}

std::string nfkd(std::string_view text) {
  std::size_t length = 0;
  const std::unique_ptr<std::uint8_t, decltype(&std::free)> normal(
      u8_normalize(UNINORM_NFKD, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), nullptr, &length),
      &std::free);
  if (!normal) throw std::runtime_error("The secret is not valid UTF-8.");
  return {reinterpret_cast<const char*>(normal.get()), length};
}

}  // namespace

bool verify_billing_signature(std::string_view header, std::string_view body, std::span<const std::string> secrets,
                              Instant now) {
  const BillingHeader parsed = parse_billing(header);
  const auto seconds = parse_seconds(parsed.timestamp);
  if (body.empty() || !seconds || !is_near(*seconds, now)) return false;
  const std::string message = fmt::format("{}.{}", parsed.timestamp, body);
  bool found = false;
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    const std::string expected = hmac_hex(secret, message);
    for (const std::string_view signature : parsed.signatures) found |= equal_in_constant_time(signature, expected);
  }
  return found;
}

bool verify_shipping_signature(std::string_view header, std::string_view body, std::string_view secret) {
  if (header.empty() || secret.empty()) return false;
  if (header.starts_with(shipping_prefix)) header.remove_prefix(shipping_prefix.size());
  return equal_in_constant_time(header, hmac_hex(nfkd(secret), body));
}

std::string billing_signature(std::string_view body, std::string_view secret, Instant at) {
  const std::int64_t seconds = at.ms / 1000;
  return fmt::format("t={},v1={}", seconds, hmac_hex(secret, fmt::format("{}.{}", seconds, body)));
}

std::string shipping_signature(std::string_view body, std::string_view secret) {
  return std::string(shipping_prefix) + hmac_hex(nfkd(secret), body);
}

}  // namespace guildhall
