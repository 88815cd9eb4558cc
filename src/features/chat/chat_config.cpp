#include "features/chat/chat_config.h"

#include "base/config_values.h"
#include "base/encoding.h"

namespace guildhall::chat {
namespace {

std::string parse_public_key(std::string_view text) {
  const auto bytes = from_hex(text);
  if (!bytes || bytes->size() != 32) throw std::invalid_argument("must be 64 hexadecimal digits");
  return *bytes;
}

}  // namespace

std::vector<VariableOf<ChatConfig>> ChatConfig::variables() {
  return {
      {"CHAT_INTERACTIONS_PUBLIC_KEY", "", &ChatConfig::chat_public_key, parse_public_key,
       "The application's public key, 64 hex digits, which verifies interactions. Without it production answers 401 "
       "and development verifies nothing."},
      {"CHAT_INTERACTIONS_UNVERIFIED", "false", &ChatConfig::chat_interactions_unverified, parse_bool,
       "Accepts unsigned interactions in production when there is no public key: anybody can then act as any member."},
      {"CHAT_AUTO_PROVISION", "false", &ChatConfig::chat_auto_provision, parse_bool,
       "Lets `/register` create shops even when interactions are not verified."},
      {"RATE_LIMIT_CHAT_PER_MIN", "30", &ChatConfig::rate_limit_chat_per_min, parse_rate_per_minute,
       "Interactions a minute of one member (and address)."},
  };
}

}  // namespace guildhall::chat
