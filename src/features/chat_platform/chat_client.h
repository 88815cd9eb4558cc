#pragma once

#include <chrono>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

// The chat platform's REST interface, as a bot sees it.
namespace guildhall {

struct ChatReply {
  int status = 0;                                   // 0: there was no reply, or nothing was sent; `message` says why
  std::string body{};                               // JSON
  std::int64_t code = 0;                            // the platform's own, of an error
  std::string message{};                            // for people; names no secret
  std::optional<std::chrono::milliseconds> wait{};  // over the limit: nothing will be taken before this

  bool ok() const { return status >= 200 && status < 300; }
};

// `/guilds/1/members/2`: every part encoded, so that none can be more than one.
std::string chat_path(std::initializer_list<std::string_view> parts);

// Knows the limits that the platform has told of, and does not call while one holds: the caller is told how long to
// wait and decides what to do meanwhile. Any thread; one per process, so that all know the same limits.
class ChatClient {
 public:
  ChatClient(std::string base_url, std::string bot_token)
      : base_url_(std::move(base_url)), bot_token_(std::move(bot_token)) {}

  bool configured() const { return !bot_token_.empty(); }

  // Blocks. `bucket` names the calls that share a limit: the method and the path without its lesser ids. `body` is
  // JSON, or empty for none.
  ChatReply send(std::string_view method, const std::string& path, const std::string& bucket,
                 const std::string& body = {});

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::chrono::milliseconds> wait_for(const std::string& bucket);
  void close(const std::string& bucket, std::chrono::milliseconds wait);

  const std::string base_url_;
  const std::string bot_token_;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> closed_until_;  // by bucket; the empty one is all of them
};

}  // namespace guildhall
