#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "app/key_check.h"
#include "app/ops/commands.h"
#include "app/slices.h"
#include "features/email/email.h"
#include "features/webhooks/endpoint_delivery.h"
#include "features/webhooks/endpoint_store.h"
#include "storage/migrations.h"
#include "support/authenticator.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient;

const std::string former_key = "a master key that only the tests know and that is long enough";
const std::string new_key = "the master key that replaces the former one in the tests";
const TenantId shop(std::string("default"));

// Every column that a migration's comment calls sealed.
TEST(SealedColumns, are_all_columns_that_the_migrations_name) {
  std::set<std::string> listed, found;
  for (const SliceTable& table : all_slice_tables()) {
    for (const std::string_view column : words_of(table.sealed)) listed.emplace(column);
  }
  static const std::regex sealed(R"(\n  (\w+) +text[^\n]*-- sealed)");
  for (const Migration& migration : migrations()) {
    const std::string text(migration.sql);
    for (std::sregex_iterator each(text.begin(), text.end(), sealed), end; each != end; ++each)
      found.insert((*each)[1]);
  }
  EXPECT_EQ(found, listed);
}

class Rekey : public test::OnEachPair {
 protected:
  void use_keys(std::vector<std::string> keys) {
    server.config.service_master_keys = std::move(keys);
    server.restart();
  }

  // On SQLite the server must be stopped, on PostgreSQL it goes on.
  std::string rekeyed(std::vector<std::string> keys, bool all_readable = true) {
    if (GetParam() == test::Engine::sqlite) server.stop();
    Config config = server.config;
    config.service_master_keys = std::move(keys);
    std::ostringstream out;
    EXPECT_EQ(rekey_secrets(config, out), all_readable) << out.str();
    return out.str();
  }

  void store_secrets() {
    CheckedClient admin = server.admin();
    ASSERT_EQ(admin.put("/api/admin/auth-providers/chat", R"({"clientId":"own","clientSecret":"s"})").status, 200);
    ASSERT_EQ(admin.put("/api/admin/payment-methods", wallet).status, 200);
    ASSERT_EQ(server.member("default", "data.read")
                  .post("/auth/second-factor", test::password_body(test::member_password))
                  .status,
              200);
    const SecretBox box(server.config.service_master_keys);
    server.write([&](Tx& tx) {
      for (int i = 0; i < endpoints; ++i) {
        const std::string url = fmt::format("https://{}.example/", i);
        WebhookEndpoint endpoint = endpoint_from({.url = {url}, .description = {}, .events = {}, .enabled = {true}},
                                                 shop, {.targets = TargetRule::any}, now());
        endpoint.secret.value = box.seal("secret", secret_context(shop, endpoint.id));
        endpoint.previous_secret.value = box.seal("previous", secret_context(shop, endpoint.id));
        insert_endpoint(tx, endpoint);
      }
      queue_secret_email(tx, box, {shop, "a@example.org", "subject", "text"}, now() + std::chrono::hours(1));
    });
  }

  static constexpr int endpoints = 130;              // more than a batch
  static constexpr int secrets = 2 * endpoints + 5;  // the key for web push included
  const std::string wallet =
      R"({"methods":[{"method":"WALLET","credentials":{"clientId":"c","clientSecret":"s","webhookId":"w"}}]})";
};
INSTANTIATE_TEST_SUITE_P(Pairs, Rekey, test::engines, test::engine_name);

TEST_P(Rekey, seals_everything_with_the_first_key_so_that_the_former_can_go) {
  store_secrets();
  use_keys({new_key, former_key});
  EXPECT_EQ(
      rekeyed({new_key, former_key}),
      fmt::format("{} secrets sealed again with the first key, {} in all, 0 cannot be opened\n", secrets, secrets));
  EXPECT_EQ(rekeyed({new_key}),
            fmt::format("0 secrets sealed again with the first key, {} in all, 0 cannot be opened\n", secrets))
      << "the new key alone opens all";
  use_keys({new_key});
  EXPECT_TRUE(server.admin().get("/api/admin/auth-providers/chat").boolean("/hasClientSecret"));
  KeyCheck check = KeyCheck::wrong;
  server.write([&](Tx& tx) { check = check_master_key(tx, SecretBox({new_key})); });
  EXPECT_EQ(check, KeyCheck::right);
}

TEST_P(Rekey, refuses_keys_that_the_database_was_not_used_with) {
  store_secrets();
  EXPECT_THROW(rekeyed({new_key}), std::runtime_error);
  EXPECT_EQ(rekeyed({former_key}).substr(0, 2), "0 ") << "nothing was changed";
}

TEST_P(Rekey, names_secrets_that_no_key_opens) {
  const Sql spoil("UPDATE payment_methods SET credentials = 'x' WHERE tenant_id = 'default'");
  store_secrets();
  server.write([&](Tx& tx) { tx.run({&spoil, {}}); });
  use_keys({new_key, former_key});
  const std::string out = rekeyed({new_key, former_key}, false);
  EXPECT_NE(out.find("PROBLEM  no key opens payment_methods.credentials of payments/default/WALLET\n"),
            std::string::npos)
      << out;
}

// A request that has read a record before it was sealed again must not write the former value back.
TEST_P(Rekey, runs_beside_a_server_that_writes_the_same_records) {
  if (GetParam() == test::Engine::sqlite) GTEST_SKIP() << "the server has to be stopped";
  store_secrets();
  use_keys({new_key, former_key});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    CheckedClient admin = server.admin();
    for (int i = 0; !done; ++i) {
      const std::string body = fmt::format(R"({{"methods":[{{"method":"WALLET","enabled":{}}}]}})", i % 2 == 0);
      EXPECT_EQ(admin.put("/api/admin/payment-methods", body).status, 200);
    }
  });
  rekeyed({new_key, former_key});
  done = true;
  writer.join();
  EXPECT_NE(rekeyed({new_key}).find(" 0 cannot be opened"), std::string::npos);
}

TEST_P(Rekey, sessions_survive_a_new_signing_secret) {
  const auto cookies = server.admin().cookies;
  const auto status_with = [&](const std::map<std::string, std::string>& jar) {
    CheckedClient client = server.client();
    client.cookies = jar;
    return client.get("/auth/me").status;
  };
  const std::string former = server.config.session_signing_secrets.front();
  server.config.session_signing_secrets = {"the new secret of sessions", former};
  server.restart();
  EXPECT_EQ(status_with(cookies), 200);
  const auto newer = server.admin().cookies;
  server.config.session_signing_secrets = {"the new secret of sessions"};
  server.restart();
  EXPECT_EQ(status_with(cookies), 401) << "the former secret is gone";
  EXPECT_EQ(status_with(newer), 200) << "the first secret signs";
}

}  // namespace
}  // namespace guildhall
