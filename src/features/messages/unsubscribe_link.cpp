#include "features/messages/unsubscribe_link.h"

#include <fmt/format.h>

#include "base/encoding.h"

namespace guildhall {
namespace {

constexpr std::size_t token_characters_max = 2000;

// The same secrets sign other things, so the purpose is signed, too.
std::string signed_text(std::string_view payload) {
  return fmt::format("unsubscribe|{}", payload);
}

}  // namespace

std::string UnsubscribeLinks::url(const TenantId& tenant, const std::string& receiver_id) const {
  const std::string payload = base64url(fmt::format("{}|{}", tenant.text(), receiver_id));
  return fmt::format("{}/messages/unsubscribe/{}.{}", installation_.public_base_url, payload,
                     base64url(keys_.sign(signed_text(payload))));
}

std::optional<UnsubscribeLinks::Receiver> UnsubscribeLinks::verify(std::string_view token) const {
  const std::size_t dot = token.find('.');
  if (token.size() > token_characters_max || dot == std::string_view::npos) return std::nullopt;
  const auto payload = from_base64url(token.substr(0, dot)), signature = from_base64url(token.substr(dot + 1));
  if (!payload || !signature || !keys_.verify(signed_text(token.substr(0, dot)), *signature)) return std::nullopt;
  const std::size_t bar = payload->find('|');
  if (bar == std::string::npos) return std::nullopt;
  return Receiver{TenantId(payload->substr(0, bar)), payload->substr(bar + 1)};
}

}  // namespace guildhall
