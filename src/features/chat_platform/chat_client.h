#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "features/chat_platform/chat_call.h"
#include "features/chat_platform/chat_limits.h"

// The chat platform's REST interface, as a bot sees it.
namespace guildhall {

struct ChatReply {
  int status = 0;                                   // 0: there was no reply, or nothing was sent; `message` says why
  std::string body{};                               // JSON
  std::int64_t code = 0;                            // the platform's own, of an error
  std::string message{};                            // for people; names no secret
  std::optional<std::chrono::milliseconds> wait{};  // over the limit: nothing will be taken before this

  bool ok() const { return status >= 200 && status < 300; }

  // For the operator: the platform's sentence, status and code.
  std::string said() const;
};

// Does not call while one of the platform's limits holds: the caller is told how long to wait and decides what to do
// meanwhile. Any thread.
class ChatClient {
 public:
  // `storage`: through which nodes tell each other of limits; may be null.
  ChatClient(std::string base_url, std::string bot_token, Storage* storage)
      : base_url_(std::move(base_url)), bot_token_(std::move(bot_token)), limits_(storage) {}

  // Whether there is a bot to act as; answers to interactions need none.
  bool has_bot() const { return !bot_token_.empty(); }

  // Blocks.
  ChatReply send(const ChatCall& call);

 private:
  const std::string base_url_;
  const std::string bot_token_;
  ChatLimits limits_;
};

}  // namespace guildhall
