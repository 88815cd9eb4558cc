#include "features/webhooks/standard_webhooks.h"

#include <fmt/format.h>
#include <stdexcept>

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t key_bytes = 32;

std::string key_of(std::string_view secret) {
  if (!secret.starts_with(prefix)) throw std::invalid_argument("A webhook secret begins with whsec_.");
  std::string text(secret.substr(prefix.size()));
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  const auto key = from_base64url(text);
  if (!key || key->empty()) throw std::invalid_argument("A webhook secret is base64 after whsec_.");
  return *key;
}

}  // namespace

std::string make_webhook_secret() {
  return std::string(prefix) + base64(random_bytes(key_bytes));
}

std::string webhook_signature(std::string_view id, Instant at, std::string_view body,
                              std::span<const std::string> secrets) {
  const std::string message = fmt::format("{}.{}.{}", id, at.ms / 1000, body);
  std::string header;
  for (const std::string& secret : secrets) {
    header.append(header.empty() ? "v1," : " v1,").append(base64(HmacSha256(key_of(secret)).sign(message)));
  }
  return header;
}

}  // namespace guildhall
