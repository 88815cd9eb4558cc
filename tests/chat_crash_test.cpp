// Kills the server while it opens the payment of an order from the chat. The member must still be told how to pay.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "outbox/message_store.h"
#include "storage/columns.h"
#include "support/chat_user.h"
#include "support/eventually.h"
#include "support/server_process.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::eventually, test::HttpClient, test::HttpReply;

constexpr int deaths = 3;

// Makes all messages due and ends all leases, which would otherwise take a minute.
void make_everything_due(const test::FreshDatabase& database) {
  static const Sql due_sql("UPDATE outbox_messages SET due_at = 1, claimed_until = NULL WHERE status = 'PENDING'");
  static const Sql lease_sql("UPDATE payments SET claimed_until = 1 WHERE claimed_until IS NOT NULL");
  open_storage({.url = database.url})->write_now([](Tx& tx) {
    tx.run({&due_sql, {}});
    tx.run({&lease_sql, {}});
  });
}

class ChatCrash : public ::testing::TestWithParam<test::Engine> {
 protected:
  ChatCrash() {
    // The processor does not answer until the server has been killed often enough. It makes one link for each key.
    sandbox.fail("card", sandbox::FaultKind::held);
    sandbox.add_member("5");
    sandbox.add_channel(std::string(ChatUser::channel));
  }

  test::ServerProcess::Variables variables() {
    auto all = test::server_variables(GetParam(), database.url, folder.path.string());
    all.insert({{"INVOICE_LINK_SIGNING_SECRET", "0123456789abcdef0123456789abcdef"}, {"LOG_LEVEL", "error"}});
    all.merge(sandbox.environment("CHAT_"));
    all.merge(sandbox.environment("APPPAY_"));
    return all;
  }

  void open_shop(HttpClient& admin) {
    ASSERT_EQ(
        admin
            .post("/auth/local/login",
                  fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password))
            .status,
        200);
    ASSERT_EQ(admin.put("/api/admin/guilds/9001", "{}").status, 200);
    ASSERT_EQ(admin.put("/api/admin/payment-methods", R"({"methods":[{"method":"APPPAY","enabled":true}]})").status,
              200);
    ASSERT_EQ(admin.post("/api/data/product", R"({"name":"Song","sku":"S","priceCents":1500,"isDigital":true})").status,
              201);
  }

  std::vector<sandbox::Call> edits() { return sandbox.calls("chat", "/webhooks/*/*/messages/@original"); }

  std::int64_t pending_replies() {
    static const Sql sql("SELECT COUNT(*) FROM outbox_messages WHERE status = 'PENDING' AND topic LIKE 'chat.%'");
    std::int64_t count = 0;
    open_storage({.url = database.url})->write_now([&](Tx& tx) {
      tx.run({&sql, {}}, [&](const Row& row) { count = row.integer(0); });
    });
    return count;
  }

  test::FreshDatabase database{GetParam()};
  test::TemporaryFolder folder;
  test::TestSandbox sandbox;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ChatCrash, test::engines, test::engine_name);

TEST_P(ChatCrash, edits_the_deferred_reply_once_and_opens_one_payment_however_often_the_server_is_killed) {
  test::ServerProcess server(variables());
  server.wait_until_ready();
  HttpClient admin(server.port());
  open_shop(admin);
  ChatUser ada(server.port(), "5");
  ada.sandbox = &sandbox;
  const std::string song = admin.get("/api/data/product").text("/items/0/id");
  const HttpReply card = ada.choose(component(ada.command("shop"), "pick"), song);
  const HttpReply pay = ada.submit(component(ada.press(component(card, "buy")), "form"), {});
  const HttpReply thinking = ada.choose(component(pay, "pay"), "APPPAY");
  ASSERT_EQ(thinking.integer("/type"), 5) << thinking.body;

  for (int death = 0; death < deaths; ++death) {
    ASSERT_TRUE(eventually([&] { return sandbox.arrived("card") > death; })) << server.output();
    server.kill_hard();
    make_everything_due(database);
    if (death + 1 == deaths) sandbox.recover("card");
    server.start();
  }
  ASSERT_TRUE(eventually([&] { return !edits().empty(); })) << server.output();
  ASSERT_EQ(sandbox.payments("card"), 1) << "one idempotency key, so one payment";
  EXPECT_NE(edits().front().request_body.find(sandbox.checkout_url(sandbox.last_payment("card"))), std::string::npos);
  server.wait_until_ready();
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  EXPECT_EQ(pending_replies(), 0);
  EXPECT_EQ(edits().size(), 1u);
  server.start();
  server.wait_until_ready();
  HttpClient again(server.port());
  again.post("/auth/local/login",
             fmt::format(R"({{"username":"admin","password":"{}","tenantId":"default"}})", test::admin_password));
  EXPECT_EQ(again.get("/api/data/order").size("/items"), 1u);
  EXPECT_EQ(again.get("/api/admin/payments").size("/items"), 1u);
}

}  // namespace
}  // namespace guildhall
