#pragma once

#include <fmt/format.h>
#include <set>

#include "support/stand_in.h"

namespace guildhall::test {

// A stand-in for the chat platform's sign-in: a code is the chat user's id, and is accepted once.
class OAuthPlatform : public StandIn {
 public:
  static constexpr std::string_view callback_url = "https://shop.example.com/auth/chat/callback";

  OAuthPlatform() {
    on("POST", "/token", [this](const StandInRequest& request) {
      auto form = request.form();
      const std::lock_guard lock(mutex_);
      if (!used_.insert(form["code"]).second || form["client_secret"] != secret) {
        return StandInReply{.status = 400, .body = R"({"error":"invalid_grant"})"};
      }
      return StandInReply{
          .body = fmt::format(R"({{"access_token":"token-of-{}","token_type":"Bearer","expires_in":604800}})",
                              form["code"])};
    });
    on("GET", "/user", [](const StandInRequest& request) {
      const std::string id = request.header("authorization").substr(std::string("Bearer token-of-").size());
      return StandInReply{
          .body = fmt::format(
              R"({{"id":"{0}","username":"user{0}","global_name":"User {0}","email":"{0}@example.com","avatar":"a1b2"}})",
              id)};
    });
  }

  std::map<std::string, std::string> environment() const {
    return {{"CHAT_OAUTH_CLIENT_ID", "client 1"},
            {"CHAT_OAUTH_CLIENT_SECRET", secret},
            {"CHAT_OAUTH_REDIRECT_URI", std::string(callback_url)},
            {"CHAT_OAUTH_REDIRECT_URIS", "https://app.example.com/back,https://two.example.com/"},
            {"CHAT_OAUTH_AUTHORIZE_URL", url("/authorize")},
            {"CHAT_OAUTH_TOKEN_URL", url("/token")},
            {"CHAT_OAUTH_USER_URL", url("/user")},
            {"CHAT_OAUTH_TIMEOUT_MS", "300"}};
  }

  const std::string secret = "hush & hush";

 private:
  std::mutex mutex_;
  std::set<std::string> used_;
};

}  // namespace guildhall::test
