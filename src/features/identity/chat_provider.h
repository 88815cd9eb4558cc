#pragma once

#include <optional>
#include <string>

#include "base/task.h"
#include "base/worker_pool.h"
#include "features/identity/provider_config.h"

// The calls to the chat platform when a user signs in.
namespace guildhall {

// The longest session, also for a token that is valid for longer: thirty days.
constexpr std::int64_t chat_session_seconds_max = 30 * 24 * 60 * 60;

struct ChatToken {
  std::string access_token;
  std::optional<std::chrono::seconds> lives_for;
  std::optional<std::string> guild_id{};  // the chat server to which the bot was added, if the user has added it
};

struct ChatProfile {
  std::string id;
  std::string username;
  std::string display_name;
  std::optional<std::string> email;       // only if valid
  std::optional<std::string> avatar_url;  // only if it is a URL
};

// Each throws bad_request, with a code of its own for every kind of failure of the provider.
class ChatProvider {
 public:
  ChatProvider(WorkerPool& outbound, const ChatOAuth& environment, const ProviderConfig& config)
      : outbound_(outbound), environment_(environment), config_(config) {}

  Task<ChatToken> exchange(const std::string& code, const std::string& redirect_uri, const std::string& verifier) const;
  Task<ChatProfile> profile(const ChatToken& token) const;

 private:
  WorkerPool& outbound_;
  const ChatOAuth& environment_;
  const ProviderConfig& config_;
};

}  // namespace guildhall
