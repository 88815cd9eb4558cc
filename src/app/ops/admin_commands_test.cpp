#include <sstream>

#include "app/ops/commands.h"
#include "support/authenticator.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class AdminCommands : public test::OnEachPair {
 protected:
  // Runs a command as an operator does: on SQLite while the server is stopped.
  template <class Command>
  std::string run(Command command) {
    if (GetParam() == test::Engine::sqlite) server.stop();
    std::ostringstream out;
    command(out);
    if (GetParam() == test::Engine::sqlite) server.restart();
    return out.str();
  }

  std::string create(const AdminAccount& account, const std::string& input = "") {
    return run([&](std::ostream& out) {
      std::istringstream in(input);
      create_admin(server.config, account, in, out);
    });
  }

  HttpReply sign_in(CheckedClient& client, const std::string& username, const std::string& password) {
    return client.post("/auth/local/login",
                       fmt::format(R"({{"username":"{}","password":"{}","tenantId":"default"}})", username, password));
  }
  HttpReply sign_in(const std::string& username, const std::string& password) {
    CheckedClient client = server.client();
    return sign_in(client, username, password);
  }

  static std::string password_in(const std::string& output) {
    constexpr std::string_view before = "The password is ";
    const std::size_t at = output.find(before) + before.size();
    return output.substr(at, output.find('\n', at) - at);
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, AdminCommands, test::engines, test::engine_name);

TEST_P(AdminCommands, create_makes_an_admin_who_can_sign_in) {
  const std::string password = password_in(create({.username = "rescue"}));
  CheckedClient rescue = server.client();
  ASSERT_EQ(sign_in(rescue, "rescue", password).status, 200);
  EXPECT_EQ(rescue.get("/api/admin/audit?limit=1").status, 200) << "TenantAdmin";
  server.add_tenant("elsewhere");
  EXPECT_EQ(rescue.get("/api/data/tenant/elsewhere").status, 404) << "not PlatformAdmin";
  create({.username = "chief", .password_from_input = true, .platform = true}, "a chosen password\n");
  CheckedClient chief = server.client();
  ASSERT_EQ(sign_in(chief, "chief", "a chosen password").status, 200);
  EXPECT_EQ(chief.get("/api/data/tenant/elsewhere").status, 200);
}

TEST_P(AdminCommands, create_refuses_names_in_use_unknown_tenants_and_short_passwords) {
  create({.username = "twice"});
  if (GetParam() == test::Engine::sqlite) server.stop();
  std::ostringstream out;
  std::istringstream in("short\n");
  EXPECT_THROW(create_admin(server.config, {.username = "Twice"}, in, out), Failure);
  EXPECT_THROW(create_admin(server.config, {.username = "admin"}, in, out), std::runtime_error);
  EXPECT_THROW(create_admin(server.config, {.username = "x", .tenant = TenantId(std::string("nobody"))}, in, out),
               std::runtime_error);
  EXPECT_THROW(create_admin(server.config, {.username = "x", .password_from_input = true}, in, out),
               std::runtime_error);
}

TEST_P(AdminCommands, password_replaces_the_password_and_ends_sessions) {
  const std::string former = password_in(create({.username = "rescue"}));
  CheckedClient before = server.client();
  ASSERT_EQ(sign_in(before, "rescue", former).status, 200);
  const std::string password = password_in(run([&](std::ostream& out) {
    std::istringstream in;
    set_admin_password(server.config, {.username = "rescue"}, in, out);
  }));
  EXPECT_EQ(sign_in("rescue", former).code(), "INVALID_CREDENTIALS");
  EXPECT_EQ(sign_in("rescue", password).status, 200);
  run([&](std::ostream& out) {
    std::istringstream in;
    EXPECT_THROW(set_admin_password(server.config, {.username = "nobody"}, in, out), std::runtime_error);
  });
}

TEST_P(AdminCommands, unlock_forgets_failures_and_removes_a_lost_second_factor) {
  const std::string password = password_in(create({.username = "rescue"}));
  for (int i = 0; i < 6; ++i) sign_in("rescue", "wrong");
  EXPECT_EQ(sign_in("rescue", password).code(), "INVALID_CREDENTIALS") << "locked";
  run([&](std::ostream& out) { unlock_admin(server.config, {.username = "rescue", .address = "127.0.0.1"}, out); });
  CheckedClient rescue = server.client();
  ASSERT_EQ(sign_in(rescue, "rescue", password).status, 200) << "unlocked";

  const std::string secret = rescue.post("/auth/second-factor", test::password_body(password)).text("/secret");
  ASSERT_EQ(rescue.post("/auth/second-factor/confirm", test::code_body(test::code_at(secret, 0))).status, 200);
  EXPECT_EQ(sign_in("rescue", password).code(), "SECOND_FACTOR_REQUIRED");
  run([&](std::ostream& out) {
    unlock_admin(server.config, {.username = "rescue", .remove_second_factor = true}, out);
  });
  EXPECT_EQ(sign_in("rescue", password).status, 200);
}

}  // namespace
}  // namespace guildhall
