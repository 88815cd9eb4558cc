#include <fmt/format.h>
#include <gtest/gtest.h>

#include "features/tenancy/guild_binding.h"
#include "support/chat_user.h"
#include "support/eventually.h"
#include "support/guild_members.h"
#include "support/round_trips.h"
#include "support/shop.h"
#include "support/smtp_stand_in.h"
#include "support/test_clock.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using namespace std::chrono_literals;
using test::CheckedClient, test::HttpReply;

constexpr const char* path = "/api/admin/messages";

// A shop with the guild 900, in which 7 is a member, and with a mail server.
class BuyerMessages : public ::testing::TestWithParam<test::Engine> {
 protected:
  explicit BuyerMessages(std::map<std::string, std::string> variables = {}) : more(std::move(variables)) {
    chat.add_member("7");
    server.write([](Tx& tx) { bind_guild(tx, TenantId(std::string("default")), "900", now()); });
    only(
        "ORDER_RECEIVED ORDER_PAID ROLE_GRANTED ROLE_DELAYED ORDER_SHIPPED ORDER_DELIVERED ORDER_REFUNDED "
        "MEMBERSHIP_ENDED");
  }

  std::string order(const std::string& number, const std::string& customer = R"("chatId":"7")",
                    const std::string& status = "PENDING_PAYMENT") {
    return test::created(
        admin, "order",
        fmt::format(R"({{"orderNumber":"{}","status":"{}","customer":{{"name":"Ada"{}}},"items":[{}]}})", number,
                    status, customer.empty() ? "" : "," + customer, test::item("p", 2, 500)));
  }
  void pay(const std::string& order) {
    ASSERT_EQ(admin.patch("/api/data/order/" + order, R"({"status":"PAID"})").status, 200);
  }
  std::vector<std::string> await_direct(std::size_t count) {
    EXPECT_TRUE(test::eventually([&] { return chat.messages_to("7").size() >= count; }));
    return chat.messages_to("7");
  }
  HttpReply log(const std::string& query) { return admin.get(fmt::format("{}/log?{}", path, query)); }
  bool await_status(const std::string& query, const std::string& status, std::size_t count = 1) {
    return test::eventually([&] {
      const HttpReply found = log(query + "&status=" + status);
      return found.size("/items") >= count;
    });
  }
  std::string membership_of(const std::string& email) {
    const std::string customer = test::created(
        admin, "customer",
        fmt::format(R"({{"chatId":"7","chatUsername":"ada","chatDisplayName":"Ada","email":"{}"}})", email));
    const std::string product = test::created(
        admin, "product",
        R"({"name":"VIP","sku":"V","priceCents":100,"inventoryTracked":false,"membership":{"periodDays":10,"reminderDays":[]}})");
    return test::created(
        admin, "order",
        fmt::format(R"({{"orderNumber":"M","status":"PAID","customerId":"{}","customer":{{"name":"Ada"}},)"
                    R"("items":[{{"productId":"{}","quantity":1}}]}})",
                    customer, product));
  }
  // Ends the membership, which is a message from which one can unsubscribe.
  void refund(const std::string& order) {
    ASSERT_EQ(admin.patch("/api/data/order/" + order, R"({"status":"REFUNDED"})").status, 200);
  }
  void only(const std::string& kinds) {
    std::string off;
    for (const char* kind : {"ORDER_RECEIVED", "ORDER_PAID", "ROLE_GRANTED", "ROLE_DELAYED", "ORDER_SHIPPED",
                             "ORDER_DELIVERED", "ORDER_REFUNDED", "MEMBERSHIP_ENDED"}) {
      const bool on = kinds.find(kind) != std::string::npos;
      off += fmt::format(R"({}{{"kind":"{}","direct":{},"email":{}}})", off.empty() ? "" : ",", kind, on, on);
    }
    ASSERT_EQ(admin.put(path, fmt::format(R"({{"kinds":[{}]}})", off)).status, 200);
  }
  std::map<std::string, std::string> environment() {
    auto variables = chat.environment("CHAT_");
    variables.insert(more.begin(), more.end());
    variables.insert({{"SMTP_URL", smtp.url()}, {"SMTP_FROM", "shop@example.com"}});
    return variables;
  }

  const std::map<std::string, std::string> more;
  test::GuildMembers chat;
  test::SmtpStandIn smtp;
  test::TestServer server{GetParam(), environment()};
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, BuyerMessages, test::engines, test::engine_name);

TEST_P(BuyerMessages, tell_of_an_order_once_each_and_in_order_while_the_platform_fails) {
  chat.fail("chat", sandbox::FaultKind::error, "/channels/*/messages");
  const std::string id = order("A-1", R"("chatId":"7","email":"ada@example.com")");
  pay(id);
  ASSERT_EQ(admin.patch("/api/data/order/" + id, R"({"status":"SHIPPED","trackingNumber":"1Z9"})").status, 200);
  EXPECT_TRUE(test::eventually([&] { return !chat.calls("chat", "/channels/*/messages").empty(); }));
  chat.recover("chat");
  const std::string unpaid =
      admin.post(fmt::format("/api/orders/{}/invoice-link", order("A-2", "")), "{}").text("/token");
  server.restart();
  CheckedClient later = server.admin();
  const std::string sent = fmt::format("{}/log?orderId={}&status=SENT", path, id);
  ASSERT_TRUE(test::eventually([&] { return later.get(sent).size("/items") == 6; }));
  const auto direct = chat.messages_to("7");
  ASSERT_EQ(direct.size(), 3u);
  EXPECT_NE(direct[0].find("order **A\\-1**"), std::string::npos) << direct[0];
  EXPECT_EQ(direct[0].find("You can pay"), std::string::npos) << "it is paid already: " << direct[0];
  EXPECT_NE(direct[1].find("payment of"), std::string::npos) << direct[1];
  EXPECT_NE(direct[2].find("Tracking number: 1Z9"), std::string::npos) << direct[2];
  const auto mails = smtp.mails();
  ASSERT_EQ(mails.size(), 3u);
  EXPECT_NE(mails[0].text.find("Subject: Your order A-1"), std::string::npos) << mails[0].text;
  EXPECT_NE(mails[1].text.find("Subject: Receipt for your order A-1"), std::string::npos) << mails[1].text;
  EXPECT_NE(mails[1].text.find("multipart/alternative"), std::string::npos);
  EXPECT_NE(mails[1].text.find("2 x Thing:"), std::string::npos) << mails[1].text;
  EXPECT_EQ(mails[1].text.find("List-Unsubscribe"), std::string::npos) << "it is transactional";

  const std::size_t link = direct[1].find("/orders/receipt/");
  ASSERT_NE(link, std::string::npos) << direct[1];
  test::HttpClient browser(server.port());
  const std::string receipt = direct[1].substr(link, direct[1].find('"', link) - link);
  const HttpReply page = browser.get(receipt);
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("Receipt A-1"), std::string::npos) << page.body;
  EXPECT_EQ(browser.get(receipt + "x").status, 404);
  EXPECT_EQ(browser.get("/orders/receipt/" + unpaid).status, 404) << "it is not paid";
}

TEST_P(BuyerMessages, bring_an_invoice_link_when_the_shop_sends_one) {
  only("");
  const std::string id = order("A-1", R"("chatId":"7","email":"ada@example.com")");
  const auto send = [&](const std::string& order_id, const std::string& body) {
    return admin.post(fmt::format("/api/orders/{}/invoice-link/send", order_id), body);
  };
  const HttpReply sent = send(id, R"({"media":["EMAIL","DIRECT","EMAIL"],"expiresInSeconds":3600})");
  ASSERT_EQ(sent.status, 200) << sent.body;
  EXPECT_EQ(sent.size("/media"), 2u) << sent.body;
  const std::string direct = await_direct(1).front();
  EXPECT_NE(direct.find("invoice for your order **A\\-1**"), std::string::npos) << direct;
  EXPECT_NE(direct.find("/orders/invoice/"), std::string::npos) << direct;
  ASSERT_TRUE(smtp.wait_for_mails(1));
  EXPECT_NE(smtp.mails().front().text.find("Subject: Invoice for your order A-1"), std::string::npos);
  EXPECT_NE(admin.get("/api/data/order/" + id + "/timeline").body.find("It was sent to the buyer."), std::string::npos);
  ASSERT_EQ(send(id, R"({"media":["DIRECT"]})").status, 200) << "it may be sent again";
  EXPECT_EQ(await_direct(2).size(), 2u);
  for (int messages = 3; messages < 10; ++messages) EXPECT_EQ(send(id, R"({"media":["DIRECT"]})").status, 200);
  EXPECT_EQ(send(id, R"({"media":["DIRECT"]})").code(), "TOO_MANY_MESSAGES") << "ten a day are enough";

  EXPECT_EQ(send(order("A-2", R"("chatId":"7")"), R"({"media":["EMAIL"]})").code(), "NOT_REACHABLE");
  EXPECT_EQ(send(order("A-3", ""), R"({"media":["DIRECT"]})").code(), "NOT_REACHABLE");
  EXPECT_EQ(send(id, R"({"media":[]})").wrong_fields(), (std::vector<std::string>{"media"}));
  EXPECT_EQ(send("unknown", R"({"media":["EMAIL"]})").status, 404);
  server.add_tenant("other");
  EXPECT_EQ(
      server.admin("other").post(fmt::format("/api/orders/{}/invoice-link/send", id), R"({"media":["EMAIL"]})").status,
      404);
  pay(id);
  EXPECT_EQ(send(id, R"({"media":["EMAIL"]})").code(), "NOTHING_TO_PAY");
}

TEST_P(BuyerMessages, write_nothing_for_buyers_who_cannot_be_reached_or_are_not_informed) {
  const std::string unreachable = order("A-1", "");
  only("");
  const std::string off = order("A-2");
  EXPECT_EQ(log("orderId=" + unreachable).size("/items"), 0u);
  EXPECT_EQ(log("orderId=" + off).size("/items"), 0u);
}

TEST_P(BuyerMessages, are_written_in_the_shops_own_words_and_the_buyers_language) {
  const HttpReply unknown =
      admin.put(path, R"({"texts":[{"kind":"ORDER_PAID","locale":"de","direct":"{order} {oder}"},)"
                      R"({"kind":"ROLE_GRANTED","locale":"x","subject":"{order}"}]})");
  EXPECT_EQ(unknown.status, 400) << unknown.body;
  EXPECT_NE(unknown.body.find("texts[1].locale"), std::string::npos) << unknown.body;
  const HttpReply wrong = admin.put(path, R"({"texts":[{"kind":"ORDER_PAID","locale":"de","direct":"{oder}"}]})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_NE(wrong.body.find("{oder}"), std::string::npos) << wrong.body;
  EXPECT_NE(wrong.body.find("texts[0].direct"), std::string::npos) << wrong.body;

  const HttpReply before = admin.get(path);
  const std::string text =
      R"({"texts":[{"kind":"ORDER_PAID","locale":"de","direct":"Servus {customer}, {total} ist da."}]})";
  EXPECT_EQ(admin.put(path, text, {{"If-Match", "\"99\""}}).status, 412);
  ASSERT_EQ(admin.put(path, text, {{"If-Match", before.header("etag")}}).status, 200);
  server.write([](Tx& tx) {
    static const Sql sql(
        "INSERT INTO message_receivers (tenant_id, id, locale, created_at, updated_at) "
        "VALUES ('default', 'chat/7', 'de-AT', 1, 1)");
    tx.run({&sql, {}});
  });
  order("A-1", R"("chatId":"7")", "PAID");
  EXPECT_EQ(await_direct(1).front().substr(0, 10), "Servus Ada");

  const HttpReply preview = admin.post("/api/admin/messages/preview",
                                       R"({"kind":"MEMBERSHIP_ENDED","locale":"de","email":"<b>{customer}</b>"})");
  EXPECT_EQ(preview.status, 200) << preview.body;
  EXPECT_NE(preview.text("/emailHtml").find("&lt;b&gt;Ada&lt;/b&gt;"), std::string::npos);
  EXPECT_NE(preview.text("/emailText").find("/messages/unsubscribe/"), std::string::npos);
  EXPECT_EQ(admin.post("/api/admin/messages/preview", R"({"kind":"ROLE_GRANTED","email":"{order}"})").status, 400);
  EXPECT_EQ(admin.put(path, R"({"texts":[{"kind":"ORDER_PAID","locale":"de"}]})").size("/texts"), 0u);
}

TEST_P(BuyerMessages, can_be_unsubscribed_from_by_a_link_that_only_we_can_make) {
  only("MEMBERSHIP_ENDED");
  refund(membership_of("ada@example.com"));
  ASSERT_TRUE(smtp.wait_for_mails(1));
  const std::string mail = smtp.mails().front().text;
  EXPECT_NE(mail.find("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), std::string::npos) << mail;
  const std::size_t begin = mail.find("/messages/unsubscribe/");
  ASSERT_NE(begin, std::string::npos);
  const std::string link = mail.substr(begin, mail.find('>', begin) - begin);
  test::HttpClient anybody(server.port());
  const test::HttpHeaders form{{"Content-Type", "application/x-www-form-urlencoded"}};
  EXPECT_NE(anybody.get(link).body.find("Unsubscribe</button>"), std::string::npos);
  const std::string forged = link.substr(0, link.size() - 4) + "AAAA";
  EXPECT_EQ(anybody.post(forged, "List-Unsubscribe=One-Click", form).status, 404);
  const std::string receivers = fmt::format("{}/receivers?id=chat%2F7", path);
  EXPECT_EQ(admin.get(receivers).size("/items"), 0u);

  EXPECT_EQ(anybody.post(link, "List-Unsubscribe=One-Click", form).status, 200);
  EXPECT_FALSE(admin.get(receivers).is_null("/items/0/unsubscribedAt"));
  server.add_tenant("other");
  test::CheckedClient other = server.member("other", "TenantAdmin");
  EXPECT_EQ(other.get(receivers).size("/items"), 0u);
  const std::string product = admin.get("/api/data/product").text("/items/0/id");
  const std::string again =
      test::created(admin, "order",
                    fmt::format(R"({{"orderNumber":"M2","status":"PAID","customer":{{"name":"Ada","chatId":"7"}},)"
                                R"("items":[{{"productId":"{}","quantity":1}}]}})",
                                product));
  refund(again);
  EXPECT_TRUE(await_status("kind=MEMBERSHIP_ENDED", "SKIPPED", 2));
  EXPECT_EQ(smtp.mails().size(), 1u);
  EXPECT_EQ(anybody.post(link + "/undo", "", form).status, 200);
  EXPECT_TRUE(admin.get(receivers).is_null("/items/0/unsubscribedAt"));
}

TEST_P(BuyerMessages, go_by_email_to_a_member_who_refuses_direct_messages) {
  ASSERT_EQ(
      admin.put(path, R"({"kinds":[{"kind":"ORDER_RECEIVED","email":false},{"kind":"ORDER_PAID","email":false}]})")
          .status,
      200);
  chat.answer("chat", "/channels/*/messages", 403, R"({"code":50007,"message":"Cannot send messages to this user"})");
  const std::string id = order("A-1", R"("chatId":"7","email":"ada@example.com")");
  ASSERT_TRUE(smtp.wait_for_mails(1));
  const auto tries = chat.calls("chat", "/channels/*/messages").size();
  pay(id);
  ASSERT_TRUE(smtp.wait_for_mails(2));
  EXPECT_EQ(chat.calls("chat", "/channels/*/messages").size(), tries) << "not tried for every message";
  const HttpReply known = admin.get(fmt::format("{}/receivers?id=chat%2F7", path));
  EXPECT_FALSE(known.is_null("/items/0/directRefusedAt")) << known.body;
  EXPECT_TRUE(await_status("orderId=" + id, "REFUSED", 2));
  chat.recover("chat");
  test::TestClock clock;
  clock.advance(std::chrono::days(8));
  admin.cookies = server.admin().cookies;
  order("A-2", R"("chatId":"7","email":"ada@example.com")");
  await_direct(1);
  EXPECT_TRUE(test::eventually(
      [&] { return admin.get(fmt::format("{}/receivers?id=chat%2F7", path)).is_null("/items/0/directRefusedAt"); }));
}

// Nothing is delivered, so that only the orders make round trips.
class MessageRoundTrips : public BuyerMessages {
 protected:
  MessageRoundTrips() : BuyerMessages({{"OUTBOX_THREADS", "0"}}) {}
};
INSTANTIATE_TEST_SUITE_P(Pairs, MessageRoundTrips, ::testing::Values(test::Engine::postgresql), test::engine_name);

TEST_P(MessageRoundTrips, are_not_added_to_those_of_an_order) {
  int number = 0;
  std::string id;
  const auto place = [&] { id = order(fmt::format("R-{}", ++number)); };
  for (const char* kinds : {"", "ORDER_RECEIVED ORDER_PAID"}) {
    only(kinds);
    EXPECT_EQ(test::fewest_round_trips(
                  server, [] {}, place),
              1)
        << kinds;
    EXPECT_EQ(test::fewest_round_trips(server, place, [&] { pay(id); }), 3) << kinds;
  }
  EXPECT_EQ(log("orderId=" + id).size("/items"), 2u) << "received and paid";
}

}  // namespace
}  // namespace guildhall
