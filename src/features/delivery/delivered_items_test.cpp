// What buyers get of a digital item: in direct messages, by e-mail, on the page of the order, and with /purchases.
#include <gtest/gtest.h>

#include "support/chat_shop.h"
#include "support/eventually.h"
#include "support/guild_members.h"
#include "support/smtp_stand_in.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::HttpReply;

class DeliveredItems : public ::testing::TestWithParam<test::Engine> {
 protected:
  DeliveredItems() {
    product = shop.product("Handbook", R"(,"isDigital":true)");
    const std::string path = fmt::format("/api/data/product/{}/deliverable", product);
    const HttpReply pool = shop.admin.post(path, R"({"kind":"KEY_POOL","name":"Key"})");
    EXPECT_EQ(shop.admin
                  .send("POST", fmt::format("{}/{}/key", path, pool.text("/id")), "KEY-*1*-AAAA\nKEY-2-BBBB\n",
                        {{"Content-Type", "text/plain"}})
                  .status,
              201);
    EXPECT_EQ(shop.admin.post(path, R"({"kind":"LINK","name":"Film","content":"https://films.example.org/a?b=1&c=2"})")
                  .status,
              201);
  }
  std::string pay_for_one(const std::string& customer) {
    return test::created(
        shop.admin, "order",
        fmt::format(R"({{"orderNumber":"N-{}","status":"PAID","customer":{{"name":"Ada"{}}},"items":[{}]}})", ++orders,
                    customer, test::item(product, 1, 500)));
  }
  std::vector<std::string> direct_messages() const {
    return shop.sandbox.run([&](sandbox::World& world) {
      std::vector<std::string> found;
      for (const sandbox::Message& message : world.chat->guild.direct_channel("5").messages) {
        found.push_back(message.content);
      }
      return found;
    });
  }
  bool was_sent(const std::string& part) const {
    return test::eventually([&] {
      return std::ranges::any_of(direct_messages(),
                                 [&](const std::string& text) { return text.find(part) != std::string::npos; });
    });
  }

  test::SmtpStandIn smtp;
  test::ChatShop shop{GetParam(), {{"SMTP_URL", smtp.url()}, {"SMTP_FROM", "shop@example.com"}}};
  std::string product;
  int orders = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, DeliveredItems, test::engines, test::engine_name);

TEST_P(DeliveredItems, reach_the_buyer_by_message_and_on_the_page_of_the_order) {
  const std::string order = pay_for_one(R"(,"chatId":"5","email":"ada@example.com")");
  EXPECT_TRUE(was_sent("`KEY-*1*-AAAA`")) << fmt::format("{}", fmt::join(direct_messages(), "\n--\n"));
  EXPECT_TRUE(was_sent("<https://films.example.org/a?b=1&c=2>"));
  const auto mail_with = [&](const std::string& part) {
    return test::eventually([&] {
      return std::ranges::any_of(smtp.mails(),
                                 [&](const auto& mail) { return mail.text.find(part) != std::string::npos; });
    });
  };
  EXPECT_TRUE(mail_with("Subject: Your Handbook"));
  EXPECT_TRUE(mail_with("KEY-*1*-AAAA"));
  const std::string token = shop.admin.post(fmt::format("/api/orders/{}/invoice-link", order), "{}").text("/token");
  test::HttpClient browser(shop.server.port());
  for (const char* page : {"/orders/receipt/", "/orders/invoice/"}) {
    const std::string html = browser.get(page + token).body;
    EXPECT_NE(html.find("<code>KEY-*1*-AAAA</code>"), std::string::npos) << html;
    EXPECT_NE(html.find("https://films.example.org/a?b=1&amp;c=2"), std::string::npos) << html;
  }
  EXPECT_EQ(shop.admin.patch("/api/data/order/" + order, R"({"status":"REFUNDED"})").status, 200);
  EXPECT_EQ(browser.get("/orders/receipt/" + token).body.find("KEY-"), std::string::npos) << "it was refunded";
}

TEST_P(DeliveredItems, are_sent_again_and_sent_when_they_are_replaced) {
  const std::string order = pay_for_one(R"(,"chatId":"5")");
  EXPECT_TRUE(was_sent("KEY-*1*-AAAA"));
  const auto with_key = [&] {
    return std::ranges::count_if(
        direct_messages(), [](const std::string& text) { return text.find("KEY-*1*-AAAA") != std::string::npos; });
  };
  const std::string item = shop.admin.get("/api/data/entitlement?orderId=" + order).text("/items/0/id");
  EXPECT_EQ(shop.admin.post(fmt::format("/api/data/entitlement/{}/delivery/send", item), "").status, 204);
  EXPECT_TRUE(test::eventually([&] { return with_key() == 2; }));
  const std::string key = shop.admin.get("/api/data/delivery-key?entitlementId=" + item).text("/items/0/id");
  EXPECT_EQ(shop.admin.post(fmt::format("/api/data/delivery-key/{}/replace", key), "").status, 204);
  EXPECT_TRUE(was_sent("KEY-2-BBBB"));
}

TEST_P(DeliveredItems, are_shown_again_only_to_their_buyer) {
  pay_for_one(R"(,"chatId":"5")");
  ChatUser ada = shop.user("5"), eve = shop.user("6");
  const HttpReply list = ada.command("purchases");
  const std::string item = shop.admin.get("/api/data/entitlement").text("/items/0/id");
  EXPECT_EQ(list.integer("/data/flags"), 64) << "only the member sees it";
  const HttpReply shown = ada.choose(component(list, "purchase"), item);
  EXPECT_NE(shown.text("/data/embeds/0/description").find("`KEY-*1*-AAAA`"), std::string::npos) << shown.body;
  EXPECT_NE(eve.command("purchases").text("/data/content").find("not bought anything"), std::string::npos);
  const HttpReply stolen = eve.choose(component(list, "purchase"), item);
  EXPECT_EQ(stolen.body.find("KEY-"), std::string::npos) << "the component is another member's";
  pay_for_one(R"(,"chatId":"6")");
  const HttpReply own = eve.command("purchases");
  EXPECT_EQ(eve.choose(component(own, "purchase"), item).body.find("KEY-"), std::string::npos)
      << "the item is another member's";
}

}  // namespace
}  // namespace guildhall
