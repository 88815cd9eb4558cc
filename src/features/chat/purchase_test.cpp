// A purchase from the first look to the payment, over HTTP.
#include <gtest/gtest.h>
#include <thread>

#include "features/chat/payment_reply.h"
#include "support/chat_shop.h"
#include "support/eventually.h"
#include "support/pictures.h"
#include "support/round_trips.h"
#include "support/server_process.h"

namespace guildhall {
namespace {

using test::ChatUser, test::component, test::HttpReply;

class Purchase : public ::testing::TestWithParam<test::Engine> {
 protected:
  HttpReply only_order() {
    const HttpReply orders = shop.admin.get("/api/data/order");
    EXPECT_EQ(orders.size("/items"), 1u) << orders.body;
    return shop.admin.get("/api/data/order/" + orders.text("/items/0/id"));
  }

  // The address for the coins of the payment that was opened last.
  std::string address() const { return shop.sandbox.payment(shop.sandbox.last_payment("gateway")).address; }

  std::string checkout_url() const { return shop.sandbox.checkout_url(shop.sandbox.last_payment("gateway")); }

  // Messages of the topic that are still to be carried out.
  std::int64_t queued(const std::string& topic) {
    static const Sql sql("SELECT COUNT(*) FROM outbox_messages WHERE topic = $1 AND status = 'PENDING'");
    std::int64_t count = 0;
    shop.server.write([&](Tx& tx) { tx.run({&sql, {topic}}, [&](const Row& row) { count = row.integer(0); }); });
    return count;
  }

  test::ChatShop shop{GetParam()};
  ChatUser ada = shop.user("5");
};
INSTANTIATE_TEST_SUITE_P(Pairs, Purchase, test::engines, test::engine_name);

TEST_P(Purchase, shows_the_picture_of_a_product) {
  const std::string mug = shop.product("Mug", "");
  const HttpReply stored = shop.admin.send("PUT", "/api/data/product/" + mug + "/image",
                                           test::png_of(test::quarters(40, 40)), {{"Content-Type", "image/png"}});
  ASSERT_EQ(stored.status, 200) << stored.body;
  const HttpReply card = ada.choose(component(ada.command("shop"), "pick"), mug);
  EXPECT_EQ(card.text("/data/embeds/0/image/url"), shop.server.config.public_base_url + stored.text("/image/url"));
}

TEST_P(Purchase, leads_from_the_shop_to_an_order) {
  const std::string mug = shop.product("Mug", R"(,"description":"Holds tea.","stockQuantity":3)");
  const HttpReply list = ada.command("shop");
  EXPECT_EQ(list.text("/data/components/0/components/0/options/0/description"), "$15.00 · 3 left");
  const HttpReply card = ada.choose(component(list, "pick"), mug);
  EXPECT_EQ(card.text("/data/embeds/0/title"), "Mug");
  EXPECT_EQ(card.text("/data/embeds/0/description"), "Holds tea.");
  EXPECT_FALSE(card.has("/data/embeds/0/image"));
  EXPECT_EQ(ada.press(component(card, "page")).integer("/type"), 4) << "and back";
  const HttpReply form = ada.press(component(card, "buy"));
  EXPECT_EQ(form.integer("/type"), 9);
  EXPECT_EQ(form.size("/data/components"), 3u) << "a mug has to be sent somewhere";
  const HttpReply pay =
      ada.submit(component(form, "form"),
                 {{"quantity", "2"}, {"discount", ""}, {"address", "Ada\nStreet 1\nLondon, LDN, W1, GB"}});
  EXPECT_EQ(pay.text("/data/embeds/0/fields/1/value"), "$30.00");
  const HttpReply done = ada.choose(component(pay, "pay"), "CASH");
  EXPECT_NE(done.text("/data/embeds/0/description").find("Pay at the bar."), std::string::npos);

  const HttpReply order = only_order();
  EXPECT_EQ(order.text("/status"), "PENDING_PAYMENT");
  EXPECT_EQ(order.integer("/totalCents"), 3000);
  EXPECT_EQ(order.text("/items/0/productId"), mug);
  EXPECT_EQ(order.text("/customer/chatId"), "5");
  EXPECT_EQ(order.text("/customer/name"), "User 5");
  EXPECT_EQ(order.text("/shippingAddress/city"), "London");
  EXPECT_EQ(done.text("/data/embeds/0/title"), "Order " + order.text("/orderNumber"));
  EXPECT_EQ(shop.admin.get("/api/data/customer/" + order.text("/customerId")).text("/chatId"), "5");
  EXPECT_EQ(test::stock_of(shop.admin, mug), 1);
  const HttpReply trail = shop.admin.get("/api/admin/audit?limit=200");
  EXPECT_NE(trail.body.find(R"("CHAT")"), std::string::npos) << "the member is named as the cause";
}

// Admission, order and outcome are a transaction each.
TEST_P(Purchase, needs_seven_round_trips) {
  if (GetParam() != test::Engine::postgresql) return;
  const std::string mug = shop.product("Mug", R"(,"stockQuantity":100)");
  HttpReply pay;
  const auto fill_cart = [&] {
    pay = shop.fill_cart(ada, mug, {{"quantity", "1"}, {"address", "Ada\nStreet 1\nLondon, LDN, W1, GB"}});
  };
  const auto order = [&] {
    const HttpReply done = ada.choose(component(pay, "pay"), "CASH");
    EXPECT_NE(done.text("/data/embeds/0/description").find("Pay at the bar."), std::string::npos) << done.body;
  };
  EXPECT_EQ(test::fewest_round_trips(shop.server, fill_cart, order), 7);
}

TEST_P(Purchase, takes_both_shapes_of_a_modal_and_a_discount) {
  const std::string song = shop.product("Song");
  test::created(shop.admin, "discount", R"({"code":"HALF","type":"PERCENT","percent":50})");
  const HttpReply card = ada.choose(component(ada.command("shop"), "pick"), song);
  const HttpReply form = ada.press(component(card, "buy"));
  EXPECT_EQ(form.size("/data/components"), 2u) << "a song is not sent by post";
  const HttpReply pay = ada.submit(component(form, "form"), {{"quantity", "3"}, {"discount", "half"}}, true);
  EXPECT_EQ(pay.text("/data/embeds/0/fields/1/value"), "$45.00") << pay.body;
  EXPECT_EQ(pay.text("/data/embeds/0/fields/2/value"), "−$22.50");
  EXPECT_EQ(pay.text("/data/embeds/0/fields/3/name"), "Total") << "the exact total, before anything is chosen";
  EXPECT_EQ(pay.text("/data/embeds/0/fields/3/value"), "$22.50");
  EXPECT_EQ(ada.choose(component(pay, "pay"), "CASH").text("/data/embeds/0/fields/0/value"), "$22.50");
  EXPECT_EQ(only_order().integer("/discountAmountCents"), 2250);
}

TEST_P(Purchase, costs_nothing_when_a_discount_takes_all) {
  const std::string song = shop.product("Song");
  test::created(shop.admin, "discount", R"({"code":"FREE","type":"PERCENT","percent":100})");
  const HttpReply pay = shop.fill_cart(ada, song, {{"discount", "FREE"}});
  EXPECT_NE(ada.choose(component(pay, "pay"), "BTC_GATEWAY").body.find("Nothing is left to pay"), std::string::npos);
  EXPECT_EQ(only_order().text("/status"), "PAID");
}

TEST_P(Purchase, explains_errors_that_a_member_can_cause) {
  const std::string mug = shop.product("Mug", R"(,"isDigital":true,"stockQuantity":1)");
  const HttpReply form = ada.press(component(ada.choose(component(ada.command("shop"), "pick"), mug), "buy"));
  const HttpReply wrong = ada.submit(component(form, "form"), {{"quantity", "many"}});
  EXPECT_NE(wrong.text("/data/content").find("whole number"), std::string::npos);
  EXPECT_EQ(ada.press(component(wrong, "buy")).integer("/type"), 9) << "and may try again";
  EXPECT_EQ(ada.press(component(wrong, "card")).text("/data/embeds/0/title"), "Mug");

  const auto order = [&](const ChatUser::Inputs& inputs) {
    const HttpReply pay = ada.submit(component(form, "form"), inputs);
    return ada.choose(component(pay, "pay"), "CASH").text("/data/content");
  };
  EXPECT_NE(order({{"quantity", "2"}}).find("stock"), std::string::npos);
  const HttpReply no_such = ada.submit(component(form, "form"), {{"discount", "NONE"}});
  EXPECT_NE(no_such.text("/data/content").find("discount"), std::string::npos) << no_such.body;
  EXPECT_EQ(ada.press(component(no_such, "buy")).integer("/type"), 9) << "and may try again";

  const HttpReply pay = ada.submit(component(form, "form"), {});
  EXPECT_NE(ada.choose(component(pay, "pay"), "WALLET").text("/data/content").find("no longer available"),
            std::string::npos);
  EXPECT_NE(ada.choose(component(pay, "pay"), "rubbish").text("/data/content").find("no longer available"),
            std::string::npos);
  shop.admin.patch("/api/data/product/" + mug, R"({"priceCents":1600})");
  EXPECT_NE(ada.choose(component(pay, "pay"), "CASH").text("/data/content").find("$16.00"), std::string::npos);
  shop.admin.patch("/api/data/product/" + mug, R"({"isActive":false})");
  EXPECT_NE(ada.choose(component(pay, "pay"), "CASH").text("/data/content").find("no longer for sale"),
            std::string::npos);
  EXPECT_NE(ada.submit(component(form, "form"), {}).text("/data/content").find("not for sale"), std::string::npos);
  EXPECT_EQ(shop.orders(), 0);
}

TEST_P(Purchase, is_only_for_those_with_the_role) {
  const std::string mug = shop.product("Mug", R"(,"isDigital":true,"requiredRoleIds":["vip"])");
  EXPECT_NE(ada.command("shop").text("/data/content").find("nothing for sale"), std::string::npos);
  ada.roles = {"vip"};
  const HttpReply list = ada.command("shop");
  const HttpReply pay = shop.fill_cart(ada, mug);
  ada.roles = {};
  EXPECT_NE(ada.choose(component(list, "pick"), mug).text("/data/content").find("not for sale"), std::string::npos);
  EXPECT_NE(ada.choose(component(pay, "pay"), "CASH").text("/data/content").find("no longer for sale"),
            std::string::npos);
  EXPECT_EQ(shop.orders(), 0);
}

TEST_P(Purchase, pages_through_a_long_list) {
  for (int i = 0; i < 60; ++i) shop.product(fmt::format("P{:03}", i));
  const HttpReply first = ada.command("shop");
  EXPECT_EQ(first.size("/data/components/0/components/0/options"), 25u);
  EXPECT_EQ(first.text("/data/components/0/components/0/options/0/label"), "P059");
  const HttpReply second = ada.press(component(first, "page"));
  EXPECT_EQ(second.text("/data/components/0/components/0/options/0/label"), "P034");
  const HttpReply third = ada.press(second.text("/data/components/1/components/1/custom_id"));
  EXPECT_EQ(third.size("/data/components/0/components/0/options"), 10u);
  EXPECT_EQ(third.size("/data/components/1/components"), 1u) << "only back";
  EXPECT_EQ(ada.press(component(third, "page")).text("/data/components/0/components/0/options/0/label"), "P059");
}

TEST_P(Purchase, refuses_components_of_other_members) {
  const std::string mug = shop.product("Mug");
  const HttpReply pay = shop.fill_cart(ada, mug);
  ChatUser eve = shop.user("6");
  for (const std::string& id : {component(pay, "pay"), std::string("pay.x.y.z"), std::string("rubbish")}) {
    EXPECT_NE(eve.choose(id, "CASH").text("/data/content").find("out of date"), std::string::npos);
  }
  EXPECT_EQ(shop.orders(), 0);
}

TEST_P(Purchase, shows_the_address_for_the_coins) {
  const HttpReply pay = shop.fill_cart(ada, shop.product("Song"));
  const HttpReply reply = ada.choose(component(pay, "pay"), "BTC_GATEWAY");
  EXPECT_NE(reply.text("/data/embeds/0/description").find("```\n" + address() + "\n```"), std::string::npos);
  EXPECT_EQ(reply.text("/data/embeds/0/fields/1/value"), "0.00022500 BTC");
  EXPECT_NE(reply.text("/data/embeds/0/fields/2/value").find("minutes"), std::string::npos);
  EXPECT_EQ(reply.integer("/data/components/0/components/0/style"), 5);
  EXPECT_EQ(reply.text("/data/components/0/components/0/url"), checkout_url());
  EXPECT_EQ(ada.choose(component(pay, "pay"), "BTC_GATEWAY").text("/data/components/0/components/0/url"),
            checkout_url())
      << "asked again, it is the same payment";
  EXPECT_EQ(shop.sandbox.payments("gateway"), 1);
  EXPECT_EQ(shop.orders(), 1);
}

TEST_P(Purchase, defers_the_reply_for_a_slow_gateway_and_then_edits_it) {
  shop.sandbox.fail("chat", {.kind = sandbox::FaultKind::answer,
                             .calls_left = 1,
                             .status = 429,
                             .body = R"({"message":"slow","retry_after":0.2})"});
  shop.sandbox.fail("gateway", sandbox::FaultKind::held);
  const HttpReply pay = shop.fill_cart(ada, shop.product("Song"));
  const HttpReply thinking = ada.choose(component(pay, "pay"), "BTC_GATEWAY");
  EXPECT_EQ(thinking.body, R"({"type":5,"data":{"flags":64}})");
  EXPECT_EQ(shop.orders(), 1) << "the order exists already";
  shop.sandbox.recover("gateway");
  ASSERT_TRUE(test::eventually([&] { return shop.edits().size() == 2; })) << "too many calls: asked again later";
  const std::string edit = shop.edits().back().request_body;
  EXPECT_NE(edit.find(address()), std::string::npos) << edit;
  EXPECT_EQ(shop.edits().back().status, 200);
  EXPECT_EQ(test::header_of(shop.edits().back(), "Authorization"), "");
  EXPECT_EQ(queued("chat.payment"), 0) << "the outbox need not do it again";
}

TEST_P(Purchase, needs_no_edit_when_the_gateway_answers_at_once) {
  const HttpReply pay = shop.fill_cart(ada, shop.product("Song"));
  EXPECT_EQ(ada.choose(component(pay, "pay"), "BTC_GATEWAY").integer("/type"), 4);
  EXPECT_TRUE(test::eventually([&] { return queued("chat.payment") == 0; }));
  EXPECT_EQ(queued("chat.edit"), 0);
  EXPECT_EQ(shop.sandbox.arrived("chat"), 0);
}

// The process that answers is busy, or gone: the outbox's worker does the same, to the same payment.
TEST_P(Purchase, is_finished_by_the_outbox_with_the_same_payment) {
  const HttpReply pay = shop.fill_cart(ada, shop.product("Song"));
  ada.choose(component(pay, "pay"), "BTC_GATEWAY");
  const std::string order = only_order().text("/id");
  const auto queue = [&](const std::string& order_id) {
    shop.server.write([&](Tx& tx) {
      chat::queue_payment_reply(tx, TenantId(std::string("default")),
                                {.application_id = "app",
                                 .token = "token",
                                 .chat_user_id = "5",
                                 .locale = "de",
                                 .order_id = OrderId(order_id),
                                 .method = PaymentMethod("BTC_GATEWAY"),
                                 .invoice_url = ""},
                                now() - std::chrono::minutes(1));
    });
  };
  queue(order);
  ASSERT_TRUE(test::eventually([&] { return shop.edits().size() == 1; }));
  const std::string edit = shop.edits().front().request_body;
  EXPECT_NE(edit.find(address()), std::string::npos) << edit;
  EXPECT_NE(edit.find("15,00\u00a0$"), std::string::npos) << edit;
  EXPECT_EQ(shop.sandbox.payments("gateway"), 1);
  shop.admin.patch("/api/data/order/" + order, R"({"status":"PAID"})");
  queue(order);
  ASSERT_TRUE(test::eventually([&] { return shop.edits().size() == 2; }));
  EXPECT_NE(shop.edits().back().request_body.find("Nothing is left to pay"), std::string::npos);
  EXPECT_EQ(shop.sandbox.payments("gateway"), 1);
}

TEST_P(Purchase, is_kept_when_the_gateway_is_down) {
  const HttpReply pay = shop.fill_cart(ada, shop.product("Song"));
  shop.sandbox.stop();
  ada.sandbox = nullptr;
  const HttpReply later = ada.choose(component(pay, "pay"), "BTC_GATEWAY");
  EXPECT_NE(later.text("/data/embeds/0/description").find("Your order has been placed"), std::string::npos);
  const std::string url = later.text("/data/components/0/components/0/url");
  const std::size_t path = url.find("/orders/invoice/");
  ASSERT_NE(path, std::string::npos) << url;
  EXPECT_EQ(test::HttpClient(shop.server.port()).get(url.substr(path)).status, 200);
  EXPECT_EQ(only_order().text("/status"), "PENDING_PAYMENT");
}

TEST_P(Purchase, needs_a_way_to_pay) {
  shop.set_methods(R"({"method":"CASH","enabled":false},{"method":"BTC_GATEWAY","enabled":false})");
  EXPECT_NE(shop.fill_cart(ada, shop.product("Song")).text("/data/content").find("does not accept payments"),
            std::string::npos);
}

TEST_P(Purchase, shows_its_buyer_the_order_and_nobody_else) {
  EXPECT_NE(ada.command("orders").text("/data/content").find("/shop"), std::string::npos);
  const HttpReply pay = shop.fill_cart(ada, shop.product("Song"));
  ada.choose(component(pay, "pay"), "CASH");
  const std::string number = only_order().text("/orderNumber");
  ada.locale = "de";
  EXPECT_NE(ada.command("orders").text("/data/embeds/0/description").find("15,00\u00a0$"), std::string::npos);
  const std::string option = fmt::format(R"({{"name":"number","type":3,"value":"{}"}})", number);
  const HttpReply shown = ada.command("order", option);
  EXPECT_EQ(shown.text("/data/embeds/0/title"), "Order " + number);
  EXPECT_EQ(shown.text("/data/components/0/components/0/label"), "Pay");
  EXPECT_NE(shop.user("6").command("order", option).text("/data/content").find("no order"), std::string::npos);
}

// The platform repeats, the member clicks twice: the database decides, whatever the cache does.
class PurchaseOnce : public ::testing::TestWithParam<test::Engine> {
 protected:
  static void at_once(int count, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  }

  static void order_once(test::ChatShop& shop, bool same_interaction) {
    ChatUser ada = shop.user("5");
    const HttpReply pay = shop.fill_cart(ada, shop.product("Last one", R"(,"isDigital":true,"stockQuantity":1)"));
    const std::int64_t before = shop.orders();
    at_once(50, [&](int) {
      ChatUser copy = ada;
      if (same_interaction) copy.next_id = "the same";
      const HttpReply reply = copy.choose(component(pay, "pay"), "CASH");
      EXPECT_EQ(reply.status, 200);
      if (!same_interaction) EXPECT_EQ(reply.size("/data/embeds"), 1u) << "each leads to the one order: " << reply.body;
    });
    EXPECT_EQ(shop.orders(), before + 1);
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, PurchaseOnce, test::engines, test::engine_name);

TEST_P(PurchaseOnce, of_fifty_equal_interactions) {
  test::ChatShop shop(GetParam());
  order_once(shop, true);
}

TEST_P(PurchaseOnce, of_fifty_clicks) {
  test::ChatShop shop(GetParam());
  order_once(shop, false);
}

TEST_P(PurchaseOnce, without_a_cache) {
  test::ChatShop shop(GetParam());
  const std::string song = shop.product("Song");
  shop.server.config.cache_url = fmt::format("redis://127.0.0.1:{}", test::free_port());
  shop.server.restart();
  ChatUser ada = shop.user("5");
  const HttpReply pay = shop.fill_cart(ada, song);
  at_once(50, [&](int i) {
    ChatUser copy = ada;
    copy.next_id = i % 2 == 0 ? "the same" : "";
    EXPECT_EQ(copy.choose(component(pay, "pay"), "CASH").status, 200);
  });
  static const Sql count_sql("SELECT COUNT(*) FROM orders");
  std::int64_t orders = 0;
  shop.server.write([&](Tx& tx) { tx.run({&count_sql, {}}, [&](const Row& row) { orders = row.integer(0); }); });
  EXPECT_EQ(orders, 1);
}

}  // namespace
}  // namespace guildhall
