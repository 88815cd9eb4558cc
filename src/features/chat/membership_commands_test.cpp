// `/membership`, `/gift` and `/redeem`, over HTTP.
#include <gtest/gtest.h>
#include <thread>

#include "support/chat_shop.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::HttpReply;

class MembershipCommands : public ::testing::TestWithParam<test::Engine> {
 protected:
  static std::string content(const HttpReply& reply) { return reply.text("/data/content"); }
  static std::string option(const std::string& name, const std::string& value, int type = 3) {
    return fmt::format(R"({{"name":"{}","type":{},"value":"{}"}})", name, type, value);
  }
  std::string plan(const std::string& name, const std::string& terms = "") {
    return shop.product(
        name, fmt::format(R"(,"isDigital":true,"inventoryTracked":false,"membership":{{"periodDays":30{}}})", terms));
  }
  void pay_latest_order() {
    const std::string order = shop.admin.get("/api/data/order").text("/items/0/id");
    EXPECT_EQ(shop.admin.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200);
  }
  HttpReply membership(const std::string& member) {
    return shop.admin.get("/api/admin/memberships?chatUserId=" + member);
  }
  std::string code_for(const std::string& product) {
    return shop.admin.post("/api/admin/codes", fmt::format(R"({{"productId":"{}","count":1}})", product))
        .text("/codes/0");
  }

  test::ChatShop shop{GetParam()};
  ChatUser ada = shop.user("5");
};
INSTANTIATE_TEST_SUITE_P(Pairs, MembershipCommands, test::engines, test::engine_name);

TEST_P(MembershipCommands, show_renew_and_cancel_a_membership) {
  EXPECT_NE(content(ada.command("membership")).find("not have a membership"), std::string::npos);
  const HttpReply pay = shop.fill_cart(ada, plan("VIP"));
  ada.choose(component(pay, "pay"), "CASH");
  pay_latest_order();
  const std::string end = membership("5").text("/items/0/expiresAt");
  const HttpReply shown = ada.command("membership");
  EXPECT_EQ(shown.text("/data/embeds/0/fields/0/name"), "VIP");
  ada.choose(component(ada.press(component(shown, "renew")), "pay"), "CASH");
  pay_latest_order();
  EXPECT_EQ(parse_instant(membership("5").text("/items/0/expiresAt")).value(),
            parse_instant(end).value() + std::chrono::days(30));
  ChatUser eve = shop.user("6");
  EXPECT_NE(content(eve.press(component(shown, "cancel"))).find("out of date"), std::string::npos);
  EXPECT_NE(content(ada.press(component(shown, "cancel"))).find("Cancelled"), std::string::npos);
  EXPECT_FALSE(membership("5").is_null("/items/0/cancelledAt"));
}

TEST_P(MembershipCommands, try_a_membership_once) {
  const std::string vip = plan("VIP", R"(,"trialDays":7)");
  const HttpReply card = ada.choose(component(ada.command("shop"), "pick"), vip);
  EXPECT_NE(content(ada.press(component(card, "try"))).find("Enjoy VIP"), std::string::npos);
  EXPECT_NE(content(ada.press(component(card, "try"))).find("not had this membership"), std::string::npos);
  const HttpReply trial = membership("5");
  EXPECT_EQ(trial.text("/items/0/status"), "ACTIVE");
  const auto periods = shop.admin.get(fmt::format("/api/admin/memberships/{}/periods", trial.text("/items/0/id")));
  EXPECT_EQ(periods.text("/items/0/kind"), "TRIAL");
  EXPECT_EQ(periods.integer("/items/0/days"), 7);
}

TEST_P(MembershipCommands, give_a_membership_to_another_member) {
  const std::string vip = plan("VIP");
  EXPECT_NE(content(ada.command("gift", option("user", "5", 6))).find("/shop"), std::string::npos);
  const HttpReply card = ada.choose(component(ada.command("shop"), "pick"), vip);
  const std::string receiver = component(ada.press(component(card, "gift")), "receiving");
  EXPECT_NE(content(ada.choose(receiver, "5")).find("/shop"), std::string::npos);
  EXPECT_NE(ada.choose(receiver, "6").body.find("<@6>"), std::string::npos);
  const HttpReply choice = ada.command("gift", option("user", "6", 6));
  const HttpReply pay = ada.choose(component(choice, "giving"), vip);
  EXPECT_NE(pay.body.find("<@6>"), std::string::npos) << pay.body;
  ada.choose(component(pay, "pay"), "CASH");
  EXPECT_EQ(shop.admin.get("/api/data/order").text("/items/0/giftTo"), "6");
  pay_latest_order();
  EXPECT_EQ(membership("6").size("/items"), 1u);
  EXPECT_EQ(membership("5").size("/items"), 0u);
}

TEST_P(MembershipCommands, redeem_a_code_once_of_fifty_attempts_at_once) {
  const std::string code = code_for(plan("VIP"));
  EXPECT_NE(content(ada.command("redeem", option("code", "WRONG"))).find("not valid"), std::string::npos);
  std::atomic<int> redeemed = 0, refused = 0;
  std::vector<std::thread> members;
  for (int i = 0; i < 50; ++i) {
    members.emplace_back([&, i] {
      ChatUser member = shop.user(fmt::format("{}", 100 + i));
      const std::string answer = content(member.command("redeem", option("code", code)));
      if (answer.find("Redeemed") != std::string::npos) ++redeemed;
      if (answer.find("not valid") != std::string::npos) ++refused;
    });
  }
  for (std::thread& member : members) member.join();
  EXPECT_EQ(redeemed, 1);
  EXPECT_EQ(refused, 49);
  const HttpReply all = shop.admin.get("/api/admin/memberships");
  ASSERT_EQ(all.size("/items"), 1u) << all.body;
  const HttpReply record = shop.admin.get("/api/admin/codes");
  EXPECT_EQ(record.text("/items/0/status"), "REDEEMED");
  EXPECT_EQ(record.text("/items/0/membershipId"), all.text("/items/0/id"));
  EXPECT_EQ(shop.admin.del("/api/admin/codes/" + record.text("/items/0/id")).code(), "CODE_REDEEMED");
}

TEST(MembershipCodes, cannot_be_tried_often) {
  test::ChatShop shop(test::Engine::sqlite, {{"RATE_LIMIT_DISABLED", "false"}});
  ChatUser ada = shop.user("5");
  std::string last;
  for (int i = 0; i < 11; ++i) {
    last = ada.command("redeem", R"({"name":"code","type":3,"value":"WRONG"})").text("/data/content");
  }
  EXPECT_NE(last.find("too many attempts"), std::string::npos) << last;
}

}  // namespace
}  // namespace guildhall
