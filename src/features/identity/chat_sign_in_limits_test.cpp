#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/encoding.h"
#include "cache/cache.h"
#include "support/chat_sign_in.h"
#include "support/eventually.h"
#include "support/run_task.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestSandbox, test::TestServer;

constexpr std::string_view start = "/auth/chat/start?tenantId=default";

std::string callback(const std::string& state, const std::string& code = "1") {
  return fmt::format("/auth/chat/callback?code={}&state={}", code, state);
}

// Waits until Redis has removed the state, which a test's clock cannot hasten.
bool redis_forgets(const std::string& state) {
  test::LoopThread loop;
  const auto engine = open_cache({.url = test::redis_url(), .reply_within = std::chrono::seconds(10)});
  const auto cache = engine->open(loop.context());
  const std::string key = "oauth:" + base64url(sha256(state));
  return test::eventually([&] { return !loop.run([&] { return cache->get(key); }); });
}

class ChatSignInStates : public ::testing::TestWithParam<test::Engine> {};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatSignInStates, test::engines, test::engine_name);

TEST_P(ChatSignInStates, expire_while_the_user_takes_too_long_at_the_platform) {
  TestSandbox sandbox;
  auto settings = sign_in_environment(sandbox);
  settings["CHAT_OAUTH_STATE_SECONDS"] = "1";
  TestServer server(GetParam(), settings);
  CheckedClient client = server.client();
  const std::string state = client.get(std::string(start)).text("/state");
  test::TestClock clock;
  clock.advance(std::chrono::seconds(1));
  if (GetParam() == test::Engine::postgresql) ASSERT_TRUE(redis_forgets(state));
  const HttpReply late = client.get(callback(state));
  EXPECT_EQ(late.status, 400) << late.body;
  EXPECT_EQ(late.code(), "INVALID_STATE");
  EXPECT_EQ(late.header("set-cookie"), "");
  EXPECT_EQ(sandbox.arrived("chat"), 0) << "the platform is not asked in vain";
}

TEST(ChatSignInLimit, counts_starts_and_callbacks_by_address) {
  TestSandbox sandbox;
  auto settings = sign_in_environment(sandbox);
  settings["RATE_LIMIT_DISABLED"] = "false";
  settings["RATE_LIMIT_CHAT_SIGN_IN_PER_MIN"] = "3";
  TestServer server(test::Engine::sqlite, settings);
  CheckedClient client = server.client();
  const HttpReply started = client.get(std::string(start));
  const std::string state = started.text("/state");
  const std::string code = sandbox.consent(started.text("/authorizationUrl"), "200000000000000002");
  EXPECT_EQ(client.get(callback("made-up")).status, 400);
  EXPECT_EQ(client.get(callback(state, code)).status, 200);
  for (const std::string& path : {callback(state), std::string(start)}) {
    const HttpReply refused = client.get(path);
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("retry-after"), "60");
  }
  EXPECT_EQ(sandbox.calls("chat", "/oauth2/token").size(), 1u);
}

}  // namespace
}  // namespace guildhall
