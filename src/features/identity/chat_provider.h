#pragma once

#include <optional>
#include <string>

#include "base/task.h"
#include "base/worker_pool.h"
#include "features/identity/provider_config.h"

// What we ask of the chat platform when somebody signs in.
namespace guildhall {

// A token that lives longer gives a session of thirty days.
constexpr std::int64_t chat_session_seconds_max = 30 * 24 * 60 * 60;

struct ChatToken {
  std::string access_token;
  std::optional<std::chrono::seconds> lives_for;
};

struct ChatProfile {
  std::string id;
  std::string username;
  std::string display_name;
  std::optional<std::string> email;       // if it is one
  std::optional<std::string> avatar_url;  // if it is an address
};

// Every way in which the provider can fail us throws bad_request with its own code.
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
