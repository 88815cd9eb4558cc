// Runs `guildhall chat …` as a process of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sandbox/chat_platform.h"
#include "support/sandboxed_server.h"
#include "support/server_process.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::ServerProcess;

TEST(ChatCommand, simulates_a_purchase_through_a_running_sandbox) {
  test::SandboxedServer shop(test::Engine::sqlite);
  const std::string sandbox = fmt::format("http://127.0.0.1:{}", shop.sandbox_port());
  ServerProcess early({}, {"chat", "simulate", "--sandbox", sandbox});
  EXPECT_EQ(early.wait_for_exit(), 1) << "there is nothing for sale";
  ASSERT_EQ(shop.admin.post("/api/data/product", R"({"name":"Mug","sku":"MUG","priceCents":1500})").status, 201);
  ServerProcess simulation({}, {"chat", "simulate", "--sandbox", sandbox});
  EXPECT_EQ(simulation.wait_for_exit(), 0) << simulation.output();
  EXPECT_NE(simulation.output().find("awaiting payment"), std::string::npos) << simulation.output();
  ServerProcess stranger({}, {"chat", "simulate", "--sandbox", sandbox, "--member", "404"});
  EXPECT_EQ(stranger.wait_for_exit(), 1) << "the guild has no such member";
}

TEST(ChatCommand, publishes_the_commands) {
  test::TestSandbox sandbox;
  test::TemporaryFolder folder;
  auto variables =
      test::server_variables(test::Engine::sqlite, "sqlite:" + (folder.path / "a.db").string(), folder.path.string());
  variables["CHAT_API_BASE_URL"] = sandbox.url("/chat");
  variables["CHAT_BOT_TOKEN"] = sandbox.secret("chat bot");
  ServerProcess nameless(variables, {"chat", "register-commands"});
  EXPECT_EQ(nameless.wait_for_exit(), 1);
  EXPECT_NE(nameless.output().find("CHAT_APPLICATION_ID"), std::string::npos) << nameless.output();
  variables["CHAT_APPLICATION_ID"] = "app";
  ServerProcess everywhere(variables, {"chat", "register-commands"});
  EXPECT_EQ(everywhere.wait_for_exit(), 0) << everywhere.output();
  EXPECT_NE(sandbox.run([](sandbox::World& world) { return world.chat->commands; }).find(R"("name":"donate")"),
            std::string::npos);
  sandbox.answer("chat", "/applications/app/guilds/9/commands", 403, R"({"code":50001,"message":"Missing Access"})");
  ServerProcess in_one(variables, {"chat", "register-commands", "--guild", "9"});
  EXPECT_EQ(in_one.wait_for_exit(), 1);
  EXPECT_NE(in_one.output().find("Missing Access"), std::string::npos) << in_one.output();
}

}  // namespace
}  // namespace guildhall
