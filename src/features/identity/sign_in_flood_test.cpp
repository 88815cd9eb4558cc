// A flood of sign-ins does not keep others from signing in.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/encoding.h"
#include "base/password.h"
#include "features/identity/local_sign_in.h"
#include "features/identity/user_store.h"
#include "support/eventually.h"
#include "support/run_task.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

const std::string right_password = "a good password";

// An address that no other test uses: the tests share one Redis.
std::string fresh_address() {
  const auto bytes = random_bytes(3);
  return fmt::format("10.{}.{}.{}", static_cast<int>(bytes[0]), static_cast<int>(bytes[1]), static_cast<int>(bytes[2]));
}

std::string add_user(TestServer& server, const std::string& hash, const std::string& tenant = "default",
                     const std::string& username = test::fresh_name()) {
  NewUser input;
  input.username.value = input.display_name.value = username;
  User user = user_from(input, TenantId(tenant), now());
  user.password_hash.value = hash;
  server.write([&](Tx& tx) { insert_user(tx, user); });
  return user.username;
}

HttpReply log_in(CheckedClient& client, const std::string& address, const std::string& username,
                 const std::string& password, const std::string& tenant = "default") {
  return client.post("/auth/local/login",
                     fmt::format(R"({{"username":"{}","password":"{}","tenantId":"{}"}})", username, password, tenant),
                     {{"X-Forwarded-For", address}});
}

// The first half of an IPv6 address that no other test uses. Any eight bytes may follow.
std::string fresh_network() {
  return fmt::format("2001:db8:{}:{}", hex(random_bytes(2)), hex(random_bytes(2)));
}

std::int64_t metric(const TestServer& server, const std::string& series) {
  const std::string text = test::HttpClient(server.metrics_port()).get("/metrics").body;
  const std::size_t at = text.find("\n" + series + " ");
  return at == std::string::npos ? 0 : std::stoll(text.substr(at + series.size() + 2));
}

class SignInFlood : public ::testing::TestWithParam<test::Engine> {
 protected:
  using Settings = std::map<std::string, std::string>;

  static Settings with(Settings settings) {
    settings.merge(Settings{{"TRUSTED_PROXIES", "127.0.0.1"}, {"METRICS_ADDR", "127.0.0.1:0"}});
    return settings;
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, SignInFlood, test::engines, test::engine_name);

TEST_P(SignInFlood, is_limited_by_address_before_any_password_is_checked) {
  TestServer server(GetParam(), with({{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_SIGN_IN_PER_MIN", "3"}}));
  CheckedClient client = server.client();
  const std::string flooding = fresh_address();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(log_in(client, flooding, test::fresh_name(), "wrong").status, 400);
  const HttpReply refused = log_in(client, flooding, test::fresh_name(), "wrong");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.header("retry-after"), "60");
  EXPECT_EQ(refused.body, R"({"error":"Too Many Requests","retryAfterSeconds":60})");
  EXPECT_EQ(metric(server, "password_checks_total"), 3);
  EXPECT_EQ(metric(server, fmt::format(R"(rate_limit_exceeded_total{{endpoint="sign_in",source="{}"}})", flooding)), 1);
  EXPECT_EQ(log_in(client, fresh_address(), "admin", std::string(test::admin_password)).status, 200);
}

TEST_P(SignInFlood, of_a_hundred_wrong_passwords_at_once_has_five_checked) {
  TestServer server(GetParam(), with({}));  // RATE_LIMIT_DISABLED does not switch the lock-out off
  const std::string name = add_user(server, hash_password(right_password));
  const std::string flooding = fresh_address();
  std::vector<std::thread> attackers;
  for (int i = 0; i < 100; ++i) {
    attackers.emplace_back([&, i] {
      CheckedClient client = server.client();
      // Usernames are compared without case, so other case is no other pair.
      std::string variant = name;
      if (i % 2 == 1) variant[0] = 'T';
      const HttpReply reply = log_in(client, flooding, variant, "wrong");
      EXPECT_TRUE(reply.status == 400 || reply.status == 503) << reply.body;
    });
  }
  for (std::thread& attacker : attackers) attacker.join();
  EXPECT_EQ(metric(server, "password_checks_total"), 5);

  CheckedClient client = server.client();
  EXPECT_EQ(log_in(client, flooding, name, right_password).code(), "INVALID_CREDENTIALS") << "the pair is locked";
  EXPECT_EQ(metric(server, "password_checks_total"), 5) << "a locked pair costs no Argon2 work";
  EXPECT_EQ(log_in(client, fresh_address(), name, right_password).status, 200) << "another address is not";
}

TEST_P(SignInFlood, of_right_passwords_at_once_never_gets_that_they_are_wrong) {
  TestServer server(GetParam(), with({}));
  const std::string name = add_user(server, hash_password(right_password)), address = fresh_address();
  std::atomic<int> signed_in = 0;
  std::vector<std::thread> people;
  for (int i = 0; i < 20; ++i) {
    people.emplace_back([&] {
      CheckedClient client = server.client();
      const HttpReply reply = log_in(client, address, name, right_password);
      EXPECT_TRUE(reply.status == 200 || reply.status == 503) << reply.body;
      if (reply.status == 200) ++signed_in;
    });
  }
  for (std::thread& person : people) person.join();
  EXPECT_GE(signed_in, 5);
  CheckedClient client = server.client();
  EXPECT_EQ(log_in(client, address, name, right_password).status, 200) << "none of them is still counted";
}

TEST_P(SignInFlood, over_several_tenants_has_five_checked_for_one_name) {
  TestServer server(GetParam(), with({}));
  const std::string hash = hash_password(right_password), name = add_user(server, hash), address = fresh_address();
  CheckedClient client = server.client();
  for (int i = 0; i < 5; ++i) {
    const std::string tenant = fmt::format("shop-{}", i);
    server.add_tenant(tenant);
    add_user(server, hash, tenant, name);
    EXPECT_EQ(log_in(client, address, name, "wrong", tenant).code(), "INVALID_CREDENTIALS");
  }
  EXPECT_EQ(log_in(client, address, name, right_password).code(), "INVALID_CREDENTIALS") << "the pair is locked";
  EXPECT_EQ(metric(server, "password_checks_total"), 5);
}

TEST_P(SignInFlood, from_the_addresses_of_one_ipv6_network_is_that_of_one_client) {
  TestServer server(GetParam(), with({{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_SIGN_IN_PER_MIN", "8"}}));
  const std::string name = add_user(server, hash_password(right_password)), network = fresh_network();
  CheckedClient client = server.client();
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(log_in(client, fmt::format("{}::{}", network, i), name, "wrong").status, 400);
  }
  EXPECT_EQ(log_in(client, network + ":a:b:c:d", name, right_password).status, 400) << "the pair is locked";
  for (int i = 0; i < 2; ++i) log_in(client, network + "::", test::fresh_name(), "wrong");
  EXPECT_EQ(log_in(client, network + ":ffff::", test::fresh_name(), "wrong").status, 429);
  EXPECT_EQ(log_in(client, fresh_network() + "::1", name, right_password).status, 200) << "another network";
}

TEST_P(SignInFlood, from_one_address_keeps_no_other_address_out) {
  TestServer server(GetParam(), with({}));
  const std::string mine = add_user(server, hash_password(right_password));
  const PasswordCost cheap = password_cost;
  password_cost = {.passes = 2, .memory_bytes = 16 << 20};
  const std::string slow_hash = hash_password("another password");
  password_cost = cheap;
  // More at once than the pool's queue holds, each of another username.
  std::vector<std::string> names;
  for (int i = 0; i < 90; ++i) names.push_back(add_user(server, slow_hash));
  const std::string flooding = fresh_address();
  std::atomic<std::size_t> refused = 0;
  std::atomic<bool> over = false;
  std::vector<std::thread> attackers;
  for (const std::string& name : names) {
    attackers.emplace_back([&, name] {
      CheckedClient client = server.client();
      for (int wrong = 0; wrong < 4 && !over;) {
        const int status = log_in(client, flooding, name, "wrong").status;
        EXPECT_TRUE(status == 400 || status == 503) << status;
        if (status == 503) {
          ++refused;
        } else {
          ++wrong;
        }
      }
    });
  }
  CheckedClient client = server.client();
  EXPECT_TRUE(test::eventually([&] { return refused > 0; })) << "the queue was never full";
  for (int i = 0; i < 10; ++i) EXPECT_EQ(log_in(client, fresh_address(), mine, right_password).status, 200);
  over = true;
  for (std::thread& attacker : attackers) attacker.join();
  // Of at most four wrong passwords and any number of 503 none is locked out.
  EXPECT_EQ(metric(server, R"(sign_ins_total{provider="local",outcome="locked"})"), 0);
  EXPECT_EQ(log_in(client, flooding, names.front(), "another password").status, 200);
}

TEST_P(SignInFlood, with_random_usernames_ends_nobodys_session_and_lock_out) {
  TestServer server(GetParam(), with({}));
  CheckedClient client = server.client();
  const std::string address = fresh_address(), locked = add_user(server, hash_password(right_password));
  ASSERT_EQ(log_in(client, address, "admin", std::string(test::admin_password)).status, 200);
  CheckedClient other = server.client();
  for (int i = 0; i < 5; ++i) log_in(other, address, locked, "wrong");
  for (int i = 0; i < 500; ++i) log_in(other, fresh_address(), test::fresh_name(), "wrong");
  EXPECT_EQ(client.get("/auth/me").status, 200);
  EXPECT_EQ(log_in(other, address, locked, right_password).status, 400);
}

// The parts of the server that a sign-in needs, with a pool of the test's own.
TEST_P(SignInFlood, that_is_refused_with_503_is_not_an_attempt) {
  TestServer server(GetParam());
  const std::string name = add_user(server, hash_password(right_password)), address = fresh_address();
  const auto engine = open_cache({.url = server.config.cache_url, .reply_within = std::chrono::seconds(10)});
  test::LoopThread loop;
  Metrics metrics;
  WorkerPool full(0, 0), idle(1, 10);
  std::unique_ptr<Database> db;
  std::unique_ptr<Cache> cache;
  const auto attempt = [&](WorkerPool& pool) -> Task<bool> {
    LocalSignIn local(*db, *cache, pool, metrics, {server.config.default_tenant, "admin", "", nullptr});
    try {
      co_await local.sign_in({server.config.default_tenant, name, right_password, address}, now());
      co_return true;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.kind, Failure::Kind::unavailable) << failure.what();
    }
    co_return false;
  };
  loop.run([&]() -> Task<> {
    db = server.storage().open(loop.context());
    cache = engine->open(loop.context());
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(co_await attempt(full));
    EXPECT_TRUE(co_await attempt(idle));
    cache.reset();
    db.reset();
  });
}

TEST_P(SignInFlood, is_logged_without_passwords_and_addresses_of_people) {
  TestServer server(GetParam(), with({{"LOG_LEVEL", "warn"}}));
  CheckedClient client = server.client();
  const std::string address = fresh_address();
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 6; ++i) log_in(client, address, "ann@example.com", "my secret password");
  const std::string log = ::testing::internal::GetCapturedStderr();
  log::configure(log::Level::error, false);
  for (const std::string& part : {std::string("A sign-in failed."), "address=" + address, std::string("username=ann…"),
                                  std::string("tenant=default"), std::string("wrong username or password"),
                                  std::string("locked after too many failures"), std::string("request=")}) {
    EXPECT_NE(log.find(part), std::string::npos) << part << " is missing in\n" << log;
  }
  EXPECT_EQ(log.find("secret"), std::string::npos) << log;
  EXPECT_EQ(log.find("example.com"), std::string::npos) << log;
}

TEST(LoggableUsername, is_short_and_on_one_line) {
  EXPECT_EQ(loggable_username("ann"), "ann");
  EXPECT_EQ(loggable_username("ann@example.com"), "ann…");
  EXPECT_EQ(loggable_username("a\nb"), "a?b");
  EXPECT_EQ(loggable_username(std::string(100, 'x')), std::string(23, 'x') + "…");
}

TEST_P(SignInFlood, of_a_member_without_permissions_leaves_the_tenant_its_limit) {
  const std::string tenant = test::fresh_name();
  TestServer server(
      GetParam(),
      with({{"RATE_LIMIT_DISABLED", "false"}, {"RATE_LIMIT_TENANT_PER_MIN", "3"}, {"DEFAULT_TENANT_ID", tenant}}));
  CheckedClient member = server.member(tenant), other = server.member(tenant), admin = server.admin(tenant);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(member.get("/api/data/customer").status, 403);
  EXPECT_EQ(member.get("/api/data/customer").status, 429) << "as many as the tenant's limit allows";
  EXPECT_EQ(other.get("/api/data/customer").status, 403) << "each counts alone";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(admin.get("/api/data/customer").status, 200);
  EXPECT_EQ(admin.get("/api/data/customer").status, 429);
}

}  // namespace
}  // namespace guildhall
