#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "features/chat_platform/chat_call.h"
#include "features/chat_platform/chat_limits.h"

// The client of the chat platform's REST API.
namespace guildhall {

struct ChatReply {
  int status = 0;                                   // 0: there is no reply, or nothing was sent; `message` says why
  std::string body{};                               // JSON
  std::int64_t code = 0;                            // the platform's error code
  std::string message{};                            // for people; contains no secret
  std::optional<std::chrono::milliseconds> wait{};  // a rate limit applies: the time until calls are accepted again

  bool ok() const { return status >= 200 && status < 300; }

  // The platform's sentence, status and error code, for the operator.
  std::string description() const;
};

// Makes no call while one of the platform's rate limits applies: the reply then names the time to wait. Thread-safe.
class ChatClient {
 public:
  // Nodes share their knowledge of rate limits through `storage`; null: they do not.
  ChatClient(std::string base_url, std::string bot_token, Storage* storage)
      : base_url_(std::move(base_url)), bot_token_(std::move(bot_token)), limits_(storage) {}

  // Whether a bot token is configured. Answers to interactions need none.
  bool has_bot() const { return !bot_token_.empty(); }

  // Blocks.
  ChatReply send(const ChatCall& call);

 private:
  const std::string base_url_;
  const std::string bot_token_;
  ChatLimits limits_;
};

}  // namespace guildhall
