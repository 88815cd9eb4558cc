// The real server beside the real sandbox: the whole life of an order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sandbox/webhook_listener.h"
#include "support/eventually.h"
#include "support/sandboxed_server.h"
#include "support/test_sandbox.h"

namespace guildhall {
namespace {

using test::eventually, test::HttpClient, test::HttpReply, test::ProcessorCase, test::processor_cases,
    test::SandboxedServer, test::ServerProcess;

class SandboxPurchase : public ::testing::TestWithParam<test::Engine> {
 protected:
  std::string chat(const std::string& rest) const {
    return fmt::format(R"({{"member":"{}","channel":"{}",{}}})", SandboxedServer::buyer, SandboxedServer::shop_channel,
                       rest);
  }

  HttpReply choose(const HttpReply& shown, const std::string& value) {
    return shop.control(
        "/chat/component",
        chat(fmt::format(R"("message":"{}","customId":"{}","values":["{}"])", shown.text("/messages/0/id"),
                         shown.text("/messages/0/components/0/components/0/custom_id"), value)));
  }

  // Buys the product from the bot, and returns the sandbox's id of the payment that it opened.
  std::string buy(const std::string& product, const ProcessorCase& processor) {
    const HttpReply card = choose(shop.control("/chat/command", chat(R"("name":"shop")")), product);
    const std::string button = "/messages/0/components/0/components/0";
    EXPECT_EQ(card.text(button + "/label"), "Buy");
    const HttpReply form = shop.control(
        "/chat/component", chat(fmt::format(R"("message":"{}","customId":"{}")", card.text("/messages/0/id"),
                                            card.text(button + "/custom_id"))));
    const HttpReply ask = shop.control(
        "/chat/modal", chat(fmt::format(R"("customId":"{}","fields":{{"quantity":"1","address":"{}"}})",
                                        form.text("/modal/customId"), R"(Grace\nHigh Street 1\nLondon, LDN, W1, GB)")));
    const HttpReply ordered = choose(ask, processor.method);
    EXPECT_EQ(ordered.size("/messages"), 1u) << ordered.body;
    std::string payment;
    EXPECT_TRUE(eventually([&] {
      const HttpReply state = shop.state();
      const std::string place = shop.place_of_payment(state, "party", processor.party);
      if (place.empty()) return false;
      payment = state.text(place + "/id");
      order_number = state.text(place + "/orderNumber");
      return true;
    }));
    return payment;
  }

  bool buyer_has_role() {
    const HttpReply state = shop.state();
    for (std::size_t i = 0; i < state.size("/guild/members"); ++i) {
      const std::string member = fmt::format("/guild/members/{}", i);
      if (state.text(member + "/id") != SandboxedServer::buyer) continue;
      for (std::size_t j = 0; j < state.size(member + "/roles"); ++j) {
        if (state.text(fmt::format("{}/roles/{}", member, j)) == SandboxedServer::keeper_role) return true;
      }
    }
    return false;
  }

  // Sends the order's parcel through all steps.
  void ship(const std::string& order_id, const std::string& tracking_number) {
    const HttpReply shipment = shop.admin.post(
        "/api/data/shipment",
        fmt::format(R"({{"orderId":"{}","carrier":"USPS","trackingNumber":"{}"}})", order_id, tracking_number));
    ASSERT_EQ(shipment.status, 201) << shipment.body;
    const std::string parcel =
        shop.control("/parcels", fmt::format(R"({{"carrier":"USPS","trackingNumber":"{}","orderNumber":"{}"}})",
                                             tracking_number, order_number))
            .text("/id");
    for (int step = 0; step < 4; ++step) {
      EXPECT_TRUE(shop.control(fmt::format("/parcels/{}/next", parcel)).boolean("/delivered"));
    }
    EXPECT_EQ(shop.sandbox.post(fmt::format("/sandbox/parcels/{}/next", parcel), "{}").status, 409);
    EXPECT_EQ(shop.admin.get("/api/data/shipment/" + shipment.text("/id")).text("/status"), "DELIVERED");
  }

  SandboxedServer shop{GetParam()};
  std::string order_number;  // of the order that was bought last
};
INSTANTIATE_TEST_SUITE_P(Pairs, SandboxPurchase, test::engines, test::engine_name);

TEST_P(SandboxPurchase, goes_from_the_bot_to_the_role_the_parcel_and_the_refund_with_each_processor) {
  const HttpReply product = shop.admin.post(
      "/api/data/product", fmt::format(R"({{"name":"Keeper pin","sku":"PIN","priceCents":4900,"grantedRoleIds":["{}"],)"
                                       R"("inventoryTracked":false}})",
                                       SandboxedServer::keeper_role));
  ASSERT_EQ(product.status, 201) << product.body;
  for (const ProcessorCase& processor : processor_cases) {
    SCOPED_TRACE(processor.party);
    const std::string payment = buy(product.text("/id"), processor);
    const std::string order = shop.order_id(order_number);
    EXPECT_EQ(shop.order_status(order), "PENDING_PAYMENT");
    EXPECT_TRUE(shop.control(fmt::format("/payments/{}/pay", payment)).boolean("/delivered"));
    EXPECT_TRUE(eventually([&] { return shop.order_status(order) == "PAID"; })) << shop.order_status(order);
    EXPECT_TRUE(eventually([&] { return buyer_has_role(); }));
    ship(order, "9400" + processor.party);
    const HttpReply refund = shop.admin.post(fmt::format("/api/data/order/{}/refund", order), R"({"reason":"test"})");
    EXPECT_EQ(refund.status, 201) << refund.body;
    EXPECT_TRUE(eventually([&] { return shop.order_status(order) == "REFUNDED"; })) << shop.order_status(order);
    EXPECT_TRUE(eventually([&] { return !buyer_has_role(); }));
    const HttpReply state = shop.state();
    EXPECT_EQ(state.text(shop.place_of_payment(state, "id", payment) + "/status"),
              processor.refunds ? "REFUNDED" : "PAID");
  }
  EXPECT_EQ(shop.admin.get("/api/admin/payments?attention=true").size("/items"), 0u);
}

TEST_P(SandboxPurchase, begins_with_a_sign_in_through_the_platform) {
  HttpClient browser(shop.port());
  const auto consent = [&](std::string_view member) {
    const std::string url = browser.get("/auth/chat/start?tenantId=default").text("/authorizationUrl");
    const std::string path = url.substr(url.find("/chat/"));
    EXPECT_NE(shop.sandbox.get(path).body.find("Continue as Grace"), std::string::npos);
    const HttpReply sent = shop.sandbox.send("POST", "/chat/oauth2/authorize",
                                             fmt::format("{}&member={}", path.substr(path.find('?') + 1), member),
                                             {{"Content-Type", "application/x-www-form-urlencoded"}});
    EXPECT_EQ(sent.status, 302) << sent.body;
    const std::string location = sent.header("location");
    return location.substr(std::min(location.find("/auth/"), location.size()));
  };
  const std::string back = consent(SandboxedServer::buyer);
  const HttpReply signed_in = browser.get(back);
  EXPECT_EQ(signed_in.status, 200) << signed_in.body;
  EXPECT_EQ(signed_in.text("/session/user/displayName"), "Grace");
  EXPECT_EQ(HttpClient(shop.port()).get(back).status, 400) << "the state and the code are used up";
  EXPECT_NE(consent("").find("error=access_denied"), std::string::npos);
  const HttpReply stranger = shop.sandbox.get(
      "/chat/oauth2/authorize?client_id=1&redirect_uri=http%3A%2F%2Fevil.example%2F&state=s&code_challenge=c");
  EXPECT_EQ(stranger.status, 400) << stranger.body;
}

TEST_P(SandboxPurchase, is_flagged_when_it_is_paid_in_part_or_late_or_disputed) {
  const auto pay = [&](const std::string& method, std::initializer_list<const char*> actions) {
    const std::string number = fmt::format("F{}", shop.state().size("/payments"));
    const HttpReply order = shop.admin.post(
        "/api/data/order",
        fmt::format(R"({{"orderNumber":"{}","customer":{{"name":"Ada"}},"items":[{{"productId":"p","name":"Mug",)"
                    R"("sku":"M","quantity":1,"unitPriceCents":1500}}]}})",
                    number));
    const HttpReply link = shop.admin.post(fmt::format("/api/orders/{}/invoice-link", order.text("/id")), "{}");
    const HttpReply opened =
        HttpClient(shop.port())
            .send("POST", fmt::format("/orders/invoice/{}/pay/{}", link.text("/token"), method), "", {});
    EXPECT_EQ(opened.status, 303) << opened.body;
    const std::string location = opened.header("location");
    for (const char* action : actions) {
      shop.control(fmt::format("/payments/{}/{}", location.substr(location.rfind('/') + 1), action));
    }
    const std::string id = order.text("/id");
    return id;
  };
  const auto attention = [&](const std::string& order) {
    const HttpReply flagged = shop.admin.get("/api/admin/payments?attention=true&limit=200");
    for (std::size_t i = 0; i < flagged.size("/items"); ++i) {
      const std::string one = fmt::format("/items/{}", i);
      if (flagged.text(one + "/orderId") == order) return flagged.text(one + "/attention");
    }
    return std::string();
  };
  for (const char* method : {"BTC_GATEWAY", "CRYPTO_COMMERCE"}) {
    SCOPED_TRACE(method);
    const std::string part = pay(method, {"payPart"}), over = pay(method, {"overpay"}), late = pay(method, {"payLate"});
    EXPECT_TRUE(eventually([&] { return attention(part) == "UNDERPAID"; })) << attention(part);
    EXPECT_TRUE(eventually([&] { return attention(over) == "OVERPAID"; })) << attention(over);
    EXPECT_TRUE(eventually([&] { return attention(late) == "LATE" || shop.order_status(late) == "PAID"; }));
    EXPECT_EQ(shop.order_status(part), "PENDING_PAYMENT");
  }
  for (const char* method : {"WALLET", "APPPAY"}) {
    SCOPED_TRACE(method);
    const std::string order = pay(method, {"pay"});
    EXPECT_TRUE(eventually([&] { return shop.order_status(order) == "PAID"; }));
    const HttpReply state = shop.state();
    shop.control(
        fmt::format("/payments/{}/dispute", state.text(shop.place_of_payment(state, "method", method) + "/id")));
    EXPECT_TRUE(eventually([&] { return shop.order_status(order) == "REFUNDED"; })) << shop.order_status(order);
  }
}

TEST_P(SandboxPurchase, counts_an_event_once_that_is_sent_again_twice_and_in_reverse) {
  const HttpReply set = shop.sandbox.put("/sandbox/delivery", R"({"order":"reversed"})");
  EXPECT_EQ(set.status, 200) << set.body;
  const HttpReply product = shop.admin.post(
      "/api/data/product", R"({"name":"Map","sku":"MAP","priceCents":900,"isDigital":true,"inventoryTracked":false})");
  const std::string payment = buy(product.text("/id"), processor_cases[0]);
  shop.control(fmt::format("/payments/{}/pay", payment));  // InvoiceSettled before InvoiceProcessing
  const std::string order = shop.order_id(order_number);
  EXPECT_TRUE(eventually([&] { return shop.order_status(order) == "PAID"; }));
  const HttpReply calls = shop.sandbox.get("/sandbox/calls?after=0");
  std::string settled;
  for (std::size_t i = 0; i < calls.size("/items"); ++i) {
    const std::string call = fmt::format("/items/{}", i);
    if (calls.text(call + "/requestBody").find("InvoiceSettled") != std::string::npos) {
      settled = std::to_string(calls.integer(call + "/id"));
      EXPECT_EQ(calls.text(call + "/signature/header"), "BTCPay-Sig");
    }
  }
  ASSERT_FALSE(settled.empty());
  EXPECT_TRUE(shop.control(fmt::format("/calls/{}/send", settled)).boolean("/delivered"));
  shop.control(fmt::format("/calls/{}/send", settled), R"({"times":3})");
  EXPECT_TRUE(eventually(
      [&] { return shop.sandbox.get("/sandbox/calls?after=0").integer("/last") >= calls.integer("/last") + 4; }));
  EXPECT_EQ(shop.admin.get("/api/admin/payments?limit=10").size("/items"), 1u);
  EXPECT_EQ(shop.order_status(order), "PAID");
}

TEST(SandboxProcess, refuses_production_and_other_sites) {
  test::TemporaryFolder folder;
  ServerProcess production({{"DATA_DIR", folder.path.string()}, {"SERVICE_ENV", "production"}}, {"sandbox"});
  EXPECT_EQ(production.wait_for_exit(), 1);
  EXPECT_NE(production.output().find("not for production"), std::string::npos) << production.output();
  ServerProcess printed({{"DATA_DIR", folder.path.string()}}, {"sandbox", "--print-env"});
  EXPECT_EQ(printed.wait_for_exit(), 0);
  EXPECT_NE(printed.output().find("CRYPTO_GATEWAY_BASE_URL='http://127.0.0.1:8099/gateway'"), std::string::npos);
  const std::uint16_t port = test::free_port();
  ServerProcess running({{"DATA_DIR", folder.path.string()}}, {"sandbox", "--port", std::to_string(port)});
  ASSERT_TRUE(eventually([&] { return running.output().find("The sandbox is at") != std::string::npos; }));
  test::SandboxClient client(port);
  const HttpReply state = client.get("/sandbox/state");
  EXPECT_EQ(state.status, 200) << state.body;
  EXPECT_EQ(client.get("/sandbox/state", {{"If-None-Match", state.header("etag")}}).status, 304);
  EXPECT_EQ(client.get("/sandbox/state", {{"Origin", "http://evil.example"}}).status, 403);
  EXPECT_EQ(client.send("POST", "/sandbox/chat/ping", "{}", {{"Content-Type", "text/plain"}}).status, 415);
  EXPECT_EQ(client.put("/sandbox/faults/nobody", R"({"kind":"error"})").status, 404);
  EXPECT_EQ(client.put("/sandbox/faults/card", R"({"kind":"bored"})").status, 400);
  client.host = "evil.example";
  EXPECT_EQ(client.get("/sandbox/state").status, 403);
  running.signal(SIGTERM);
  EXPECT_EQ(running.wait_for_exit(), 0) << running.output();
}

TEST(SandboxFault, is_limited_to_a_path_and_held_calls_are_answered_when_it_is_over) {
  test::TestSandbox sandbox;
  test::SandboxClient client(sandbox.port());
  const std::string faults = "/sandbox/faults/card", order = "/card/v2/orders/x";
  EXPECT_EQ(client.put(faults, R"({"kind":"answer","status":418,"body":"{}","path":"/v2/orders/*"})").status, 204);
  EXPECT_EQ(client.get("/card/v2/payments/x").status, 401) << "of another path, without credentials";
  EXPECT_EQ(client.get(order).status, 418);
  EXPECT_EQ(client.get(order).status, 401) << "it was for one call";
  EXPECT_EQ(client.put(faults, R"({"kind":"answer","status":99})").wrong_fields(), std::vector<std::string>{"status"});
  EXPECT_EQ(client.put(faults, R"({"kind":"held"})").wrong_fields(), std::vector<std::string>{"seconds"});
  EXPECT_EQ(client.put(faults, R"({"kind":"held","seconds":3600})").status, 204);
  test::RawConnection held(sandbox.port());
  held.send(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", order, client.host));
  EXPECT_TRUE(eventually([&] { return sandbox.arrived("card") == 4; }));
  EXPECT_EQ(sandbox.calls("card").size(), 3u) << "there is no answer yet";
  EXPECT_EQ(client.del(faults).status, 204);
  EXPECT_EQ(held.receive().status, 401);
}

TEST(SandboxProcess, trigger_and_listen_work_against_a_running_server) {
  SandboxedServer shop(test::Engine::sqlite);
  const std::string sandbox = fmt::format("http://127.0.0.1:{}", shop.sandbox_port());
  ServerProcess list({}, {"trigger", "--list"});
  EXPECT_EQ(list.wait_for_exit(), 0);
  EXPECT_NE(list.output().find("gateway.pay"), std::string::npos);
  ServerProcess ping({}, {"trigger", "chat.ping", "--sandbox", sandbox});
  EXPECT_EQ(ping.wait_for_exit(), 0) << ping.output();
  ServerProcess nothing({}, {"trigger", "card.pay", "--sandbox", sandbox});
  EXPECT_EQ(nothing.wait_for_exit(), 1) << "there is no payment yet";

  const std::uint16_t port = test::free_port();
  const HttpReply endpoint =
      shop.admin.post("/api/admin/webhook-endpoints",
                      fmt::format(R"({{"url":"http://127.0.0.1:{}/","events":["order.created"]}})", port));
  ASSERT_EQ(endpoint.status, 201) << endpoint.body;
  std::mutex mutex;
  std::vector<std::string> forwarded;
  sandbox::WebhookListener target(0, {endpoint.text("/signingSecret")}, "", [&](const auto& received) {
    const std::lock_guard lock(mutex);
    forwarded.push_back(received.problem.value_or("verified"));
  });
  ServerProcess listening({}, {"listen", "--port", std::to_string(port), "--secret", endpoint.text("/signingSecret"),
                               "--forward-to", fmt::format("http://127.0.0.1:{}/", target.port())});
  ASSERT_TRUE(eventually([&] { return listening.output().find("Webhooks are received") != std::string::npos; }));
  shop.admin.post("/api/data/order",
                  R"({"orderNumber":"L1","customer":{"name":"Ada"},"items":[{"productId":"p","name":"Mug","sku":"M",)"
                  R"("quantity":1,"unitPriceCents":500}]})");
  EXPECT_TRUE(eventually([&] {
    const std::lock_guard lock(mutex);
    return !forwarded.empty();
  }));
  EXPECT_EQ(forwarded.front(), "verified");
  EXPECT_TRUE(eventually([&] { return listening.output().find("order.created") != std::string::npos; }));
  EXPECT_NE(listening.output().find("  verified  "), std::string::npos) << listening.output();
}

}  // namespace
}  // namespace guildhall
