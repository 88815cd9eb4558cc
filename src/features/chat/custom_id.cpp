#include "features/chat/custom_id.h"

#include <fmt/format.h>

#include "base/encoding.h"

namespace guildhall::chat {
namespace {

constexpr std::size_t signature_bytes = 12;  // a custom id has room for 100 characters

std::string derived_key(std::string_view secret) {
  const Sha256 key = HmacSha256(secret).sign("chat custom ids");
  return {key.begin(), key.end()};
}

std::string signature(const HmacSha256& key, std::string_view signed_part, const Addressee& addressee) {
  const Sha256 mac = key.sign(fmt::format("{}\n{}\n{}", signed_part, addressee.tenant.text(), addressee.user_id));
  return base64url(std::span(mac).first(signature_bytes));
}

}  // namespace

CustomIds::CustomIds(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) keys_.emplace_back(derived_key(secret));
}

std::string CustomIds::sign(const Step& step, const Addressee& addressee, Instant now) const {
  const std::int64_t expiry = (now + component_lifetime).ms / 1000;
  std::string text = fmt::format("{}.{}.{:x}", step.name, step.argument, expiry);
  return text + "." + signature(keys_.front(), text, addressee);
}

std::optional<Step> CustomIds::verify(std::string_view custom_id, const Addressee& addressee, Instant now) const {
  const std::size_t third = custom_id.rfind('.');
  if (third == std::string_view::npos) return std::nullopt;
  const std::string_view text = custom_id.substr(0, third);
  const bool verified = std::any_of(keys_.begin(), keys_.end(), [&](const HmacSha256& key) {
    return equal_in_constant_time(custom_id.substr(third + 1), signature(key, text, addressee));
  });
  if (!verified) return std::nullopt;
  const std::size_t first = text.find('.'), second = text.rfind('.');
  std::int64_t expiry = 0;
  std::from_chars(text.data() + second + 1, text.data() + text.size(), expiry, 16);
  if (expiry * 1000 <= now.ms) return std::nullopt;
  return Step{std::string(text.substr(0, first)), std::string(text.substr(first + 1, second - first - 1))};
}

}  // namespace guildhall::chat
