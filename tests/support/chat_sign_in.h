#pragma once

#include "support/test_sandbox.h"

// Sign-ins through the sandbox's chat platform.
namespace guildhall::test {

inline const std::string chat_callback_url = std::string(TestSandbox::server) + "/auth/chat/callback";

// The variables of a server whose users sign in through the sandbox.
inline std::map<std::string, std::string> sign_in_environment(const TestSandbox& sandbox) {
  auto variables = sandbox.environment("CHAT_OAUTH_");
  variables.insert({{"CHAT_OAUTH_REDIRECT_URIS", "https://app.example.com/back,https://two.example.com/"},
                    {"CHAT_OAUTH_TIMEOUT_MS", "300"}});
  return variables;
}

}  // namespace guildhall::test
