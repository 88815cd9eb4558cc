#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/messages/alerts/alert.h"
#include "features/tenancy/guild_binding.h"
#include "storage/columns.h"
#include "support/eventually.h"
#include "support/guild_members.h"
#include "support/paying_shop.h"
#include "support/shop.h"
#include "support/smtp_stand_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

constexpr const char* alerts_path = "/api/admin/alerts";

// A shop whose owner has the chat account 7 and an address.
class PeopleAlerts : public ::testing::TestWithParam<test::Engine> {
 protected:
  PeopleAlerts() {
    chat.add_member("7");
    server.write([](Tx& tx) { bind_guild(tx, TenantId(std::string("default")), "900", now()); });
    const std::string user = owner.get("/auth/me").text("/session/user/userId");
    EXPECT_EQ(admin.patch("/api/data/user/" + user, R"({"email":"owner@example.com","chatId":"7"})").status, 200);
  }

  std::map<std::string, std::string> environment() {
    auto variables = chat.environment("CHAT_");
    variables.insert({{"SMTP_URL", smtp.url()}, {"SMTP_FROM", "shop@example.com"}});
    return variables;
  }

  HttpReply want(const std::string& kinds, const std::string& rest = "") {
    return owner.put(alerts_path, fmt::format(R"({{"kinds":[{}]{}}})", kinds, rest));
  }

  std::string order(const std::string& number, const std::string& product, int quantity) {
    return test::created(admin, "order",
                         fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Mia"}},"items":[{{"productId":"{}",)"
                                     R"("name":"Mug","sku":"MUG","quantity":{},"unitPriceCents":1245}}]}})",
                                     number, product, quantity));
  }

  std::vector<std::string> await_direct(std::size_t count) {
    EXPECT_TRUE(test::eventually([&] { return chat.messages_to("7").size() >= count; }));
    return chat.messages_to("7");
  }

  test::GuildMembers chat;
  test::SmtpStandIn smtp;
  test::TestServer server{GetParam(), environment()};
  CheckedClient admin = server.admin();
  CheckedClient owner = server.member("default", "TenantAdmin");
};
INSTANTIATE_TEST_SUITE_P(Pairs, PeopleAlerts, test::engines, test::engine_name);

TEST_P(PeopleAlerts, are_off_until_a_person_chooses_them) {
  const HttpReply unset = owner.get(alerts_path);
  ASSERT_EQ(unset.status, 200) << unset.body;
  EXPECT_EQ(unset.size("/kinds"), 4u);
  EXPECT_FALSE(unset.boolean("/kinds/0/direct"));
  EXPECT_TRUE(unset.boolean("/directAvailable"));
  EXPECT_TRUE(unset.boolean("/emailAvailable"));
  EXPECT_FALSE(admin.get(alerts_path).boolean("/directAvailable")) << "another person without a chat account";
  ASSERT_EQ(want(R"({"kind":"NEW_ORDER","email":true})").status, 200);
  EXPECT_TRUE(owner.get(alerts_path).boolean("/kinds/0/email"));
  EXPECT_FALSE(admin.get(alerts_path).boolean("/kinds/0/email")) << "each person chooses alone";
  const HttpReply wrong = owner.put(alerts_path, R"({"kinds":[{"kind":"RAIN"}],"locale":"x"})");
  EXPECT_EQ(wrong.wrong_fields(), (std::vector<std::string>{"kinds[0].kind", "locale"})) << wrong.body;
  EXPECT_EQ(owner.put(alerts_path, "{}", {{"If-Match", "\"0\""}}).status, 412);
}

TEST_P(PeopleAlerts, inform_of_a_new_order_and_of_low_stock_once) {
  const std::string mug = test::created(
      admin, "product", R"({"name":"Mug","sku":"MUG","priceCents":1245,"inventoryTracked":true,"stockQuantity":9})");
  ASSERT_EQ(want(R"({"kind":"NEW_ORDER","email":true},{"kind":"LOW_STOCK","direct":true})", R"(,"locale":"de")").status,
            200);
  order("A-1", mug, 2);
  ASSERT_TRUE(smtp.wait_for_mails(1));
  const test::ReceivedMail mail = smtp.mails().front();
  EXPECT_EQ(mail.to.front(), "owner@example.com");
  EXPECT_NE(mail.text.find("Neue Bestellung A-1: 24,90"), std::string::npos) << mail.text;
  EXPECT_NE(mail.text.find("/console/orders/"), std::string::npos) << mail.text;
  EXPECT_NE(mail.text.find("?tenant=default"), std::string::npos) << mail.text;
  order("A-2", mug, 2);
  EXPECT_NE(await_direct(1).front().find("Nur noch 5 von Mug"), std::string::npos) << await_direct(1).front();
  order("A-3", mug, 1);
  admin.patch("/api/data/product/" + mug, R"({"stockQuantity":20})");
  order("A-4", mug, 1);
  order("A-5", mug, 18);
  ASSERT_TRUE(smtp.wait_for_mails(5));
  const auto direct = await_direct(2);
  EXPECT_EQ(direct.size(), 2u) << "once, until there was enough again";
}

TEST_P(PeopleAlerts, reach_only_people_who_may_read_the_shops_data) {
  ASSERT_EQ(want(R"({"kind":"NEW_ORDER","email":true})").status, 200);
  const std::string user = owner.get("/auth/me").text("/session/user/userId");
  order("A-1", "p", 1);
  ASSERT_TRUE(smtp.wait_for_mails(1));
  ASSERT_EQ(admin.put("/api/admin/grants/" + user, R"({"keys":[]})").status, 200);
  order("A-2", "p", 1);
  server.add_tenant("other");
  EXPECT_EQ(server.admin("other").get(alerts_path).boolean("/kinds/0/email"), false);
  EXPECT_TRUE(test::eventually([&] { return admin.get("/api/admin/outbox?status=PENDING").size("/items") == 0; }));
  EXPECT_EQ(smtp.mails().size(), 1u);
}

TEST_P(PeopleAlerts, are_not_even_queued_for_a_person_who_got_many_in_this_hour) {
  ASSERT_EQ(want(R"({"kind":"NEW_ORDER","email":true})").status, 200);
  server.write([](Tx& tx) {
    static const Sql sql("UPDATE alert_settings SET sent_hour = $1, sent_count = $2");
    tx.run({&sql, params(alert_hour(now()), alerts_per_hour_max)});
  });
  order("A-1", "p", 1);
  EXPECT_EQ(admin.get("/api/admin/outbox").body.find("alert.email"), std::string::npos);
}

class FlaggedPaymentAlerts : public test::PayingShop {};
INSTANTIATE_TEST_SUITE_P(Pairs, FlaggedPaymentAlerts, test::engines, test::engine_name);

TEST_P(FlaggedPaymentAlerts, are_queued_once_for_each_flag) {
  ASSERT_EQ(admin.put(alerts_path, R"({"kinds":[{"kind":"FLAGGED_PAYMENT","email":true}]})").status, 200);
  const auto alerts = [&] {
    const HttpReply queue = admin.get("/api/admin/outbox?limit=200");
    int count = 0;
    for (std::size_t i = 0; i < queue.size("/items"); ++i) {
      count += queue.text(fmt::format("/items/{}/topic", i)) == "alert.email";
    }
    return count;
  };
  const std::string paid = open(order());
  sandbox.act(paid, "pay");
  EXPECT_EQ(webhook(paid).status, 200);
  EXPECT_EQ(alerts(), 0);
  const std::string too_much = open(order());
  sandbox.act(too_much, "overpay", 5000);
  EXPECT_EQ(webhook(too_much).status, 200);
  EXPECT_EQ(webhook(too_much).status, 200);
  EXPECT_EQ(alerts(), 1);
}

}  // namespace
}  // namespace guildhall
