#include <gtest/gtest.h>
#include <thread>

#include "features/payments/invoice_token.h"
#include "features/payments/payment_signatures.h"
#include "support/processors.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::GatewayStandIn, test::HttpClient, test::HttpReply, test::TestServer;

constexpr std::string_view secret = "gateway secret";

std::map<std::string, std::string> environment(const GatewayStandIn& gateway) {
  return {{"INVOICE_LINK_SIGNING_SECRET", "2026:an invoice secret of the tests"},
          {"PUBLIC_BASE_URL", "https://shop.test"},
          {"CRYPTO_GATEWAY_BASE_URL", gateway.stand_in.url()},
          {"CRYPTO_GATEWAY_WEBHOOK_SECRET", std::string(secret)},
          {"PAYMENT_CHECK_AFTER_SECONDS", "1"}};
}

// A shop with one enabled processor, and orders of 49.00 USD.
class Payments : public ::testing::TestWithParam<test::Engine> {
 protected:
  Payments() {
    EXPECT_EQ(admin
                  .put("/api/admin/payment-methods",
                       R"({"methods":[{"method":"BTC_GATEWAY","enabled":true,"settings":{"storeId":"store"},)"
                       R"("credentials":{"apiKey":"key"}},{"method":"BTC_MANUAL","enabled":true}]})")
                  .status,
              200);
  }

  std::string order(const std::string& more = "") {
    const HttpReply made = admin.post(
        "/api/data/order",
        fmt::format(
            R"({{"orderNumber":"A-{}","customer":{{"name":"Ada <b>"}},"items":[{{"productId":"p","name":"Sword & shield",)"
            R"("sku":"S1","quantity":2,"unitPriceCents":2450}}]{}}})",
            ++orders, more));
    EXPECT_EQ(made.status, 201) << made.body;
    return made.text("/id");
  }

  std::string link(const std::string& order_id, const std::string& body = "{}") {
    const HttpReply made = admin.post("/api/orders/" + order_id + "/invoice-link", body);
    EXPECT_EQ(made.status, 200) << made.body;
    return "/orders/invoice/" + made.text("/token");
  }

  // Presses the button of an order's invoice; returns the gateway's id of the payment.
  std::string open(const std::string& order_id) {
    const HttpReply paid = browser.send("POST", link(order_id) + "/pay/BTC_GATEWAY", "", {});
    EXPECT_EQ(paid.status, 303) << paid.body;
    EXPECT_EQ(paid.header("location"), gateway.stand_in.url("/i/" + gateway.last_id()));
    return gateway.last_id();
  }

  HttpReply webhook(const std::string& invoice, const std::string& type = "InvoiceSettled",
                    const std::string& tenant = "default") {
    const std::string body =
        fmt::format(R"({{"deliveryId":"d{}","originalDeliveryId":"o{}","type":"{}","invoiceId":"{}"}})", ++events,
                    events.load(), type, invoice);
    return HttpClient(server.port())
        .send("POST", "/api/payments/crypto-gateway/webhook/" + tenant, body,
              {{"BTCPay-Sig", crypto_gateway_signature(body, secret)}});
  }

  std::string status(const std::string& order_id) { return admin.get("/api/data/order/" + order_id).text("/status"); }

  HttpReply attention() { return admin.get("/api/admin/payments?attention=true"); }

  GatewayStandIn gateway;
  TestServer server{GetParam(), environment(gateway)};
  CheckedClient admin = server.admin();
  HttpClient browser{server.port()};
  int orders = 0;
  std::atomic<int> events = 0;
};
INSTANTIATE_TEST_SUITE_P(Pairs, Payments, test::engines, test::engine_name);

TEST_P(Payments, methods_merge_and_never_show_credentials) {
  const HttpReply all = admin.get("/api/admin/payment-methods");
  EXPECT_EQ(all.size("/methods"), 7U);
  EXPECT_EQ(all.text("/methods/3/method"), "BTC_GATEWAY");
  EXPECT_TRUE(all.boolean("/methods/3/enabled"));
  EXPECT_TRUE(all.boolean("/methods/3/processor"));
  EXPECT_TRUE(all.boolean("/methods/3/configured")) << "its webhook secret comes from the environment";
  EXPECT_EQ(all.text("/methods/3/settings/storeId"), "store");
  EXPECT_FALSE(all.boolean("/methods/4/processor"));
  EXPECT_FALSE(all.boolean("/methods/0/configured"));
  const HttpReply changed = admin.put(
      "/api/admin/payment-methods",
      R"({"methods":[{"method":"BTC_GATEWAY","settings":{"expirationMinutes":30}},{"method":"WALLET","settings":{"webhookId":"w"},)"
      R"("credentials":{"clientId":"very-hidden","clientSecret":"very-hidden"}}]})");
  EXPECT_EQ(changed.integer("/methods/3/settings/expirationMinutes"), 30);
  EXPECT_EQ(changed.text("/methods/3/settings/storeId"), "store");
  EXPECT_TRUE(changed.boolean("/methods/0/configured"));
  EXPECT_FALSE(changed.boolean("/methods/0/enabled"));
  EXPECT_EQ(changed.body.find("very-hidden"), std::string::npos);
  server.write([&](Tx& tx) {
    static const Sql sql("SELECT credentials FROM payment_methods WHERE method = 'WALLET'");
    tx.run({&sql, {}}, [&](const Row& row) { EXPECT_EQ(row.text(0).find("very-hidden"), std::string::npos); });
  });
  EXPECT_EQ(
      admin.put("/api/admin/payment-methods", R"({"methods":[{"method":"WALLET","credentials":{"clientId":null}}]})")
          .boolean("/methods/0/configured"),
      false);
  EXPECT_EQ(
      admin.put("/api/admin/payment-methods", R"({"methods":[{"method":"SHELLS","settings":{"expirationMinutes":0}}]})")
          .wrong_fields(),
      (std::vector<std::string>{"methods[0].method", "methods[0].settings.expirationMinutes"}));
  EXPECT_EQ(server.member("default", "data.read", "data.write").get("/api/admin/payment-methods").status, 403);
}

TEST_P(Payments, the_page_says_what_is_owed) {
  admin.post("/api/data/discount", R"({"code":"TEN","type":"PERCENT","percent":10})");
  const std::string id = order(R"(,"discountCode":"TEN")");
  admin.patch("/api/data/order/" + id, R"({"taxAmountCents":123})");
  const HttpReply page = browser.get(link(id));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.header("cache-control"), "no-store");
  EXPECT_EQ(page.header("referrer-policy"), "no-referrer");
  EXPECT_NE(page.header("x-robots-tag").find("noindex"), std::string::npos);
  EXPECT_NE(page.header("content-security-policy").find("default-src 'none'"), std::string::npos);
  for (const char* text : {"A-1", "Ada &lt;b&gt;", "Sword &amp; shield", "24.50 USD", "49.00 USD", "Discount (TEN)",
                           "−4.90 USD", "Tax", "1.23 USD", "45.33 USD", "Pay with Bitcoin", "UTC"}) {
    EXPECT_NE(page.body.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.body.find("<script"), std::string::npos);
  EXPECT_EQ(page.body.find("BTC_MANUAL"), std::string::npos);
  EXPECT_EQ(page.body.find("WALLET"), std::string::npos) << "not enabled";
  admin.patch("/api/data/order/" + id, R"({"status":"CANCELLED"})");
  EXPECT_EQ(browser.get(link(id)).body.find("<button"), std::string::npos);
}

// Everything but what differs between any two replies.
std::string comparable(HttpReply reply) {
  reply.headers.erase("x-request-id");
  reply.headers.erase("date");
  std::string text = std::to_string(reply.status) + reply.body;
  for (const auto& [name, value] : reply.headers) text += name + value;
  return text;
}

TEST_P(Payments, every_bad_link_gets_the_same_page) {
  const std::string id = order(), good = link(id);
  EXPECT_EQ(browser.get(good).status, 200);
  const std::string nowhere = comparable(browser.get("/orders/invoice/x"));
  EXPECT_EQ(nowhere.substr(0, 3), "404");
  std::string tampered = good;
  tampered[tampered.size() - 5] = tampered[tampered.size() - 5] == 'A' ? 'B' : 'A';
  EXPECT_EQ(comparable(browser.get(tampered)), nowhere);
  EXPECT_EQ(comparable(browser.get(tampered + "/return")), nowhere);
  EXPECT_EQ(comparable(browser.send("POST", tampered + "/pay/BTC_GATEWAY", "", {})), nowhere);
  for (const char* method : {"WALLET", "BTC_MANUAL", "CASH", "nonsense"}) {
    EXPECT_EQ(comparable(browser.send("POST", good + "/pay/" + method, "", {})), nowhere) << method;
  }
  EXPECT_EQ(admin.del("/api/orders/" + id + "/invoice-link").status, 204);
  EXPECT_EQ(comparable(browser.get(good)), nowhere) << "revoked";
  const std::string fresh = link(id);
  EXPECT_EQ(browser.get(fresh).status, 200);
  admin.del("/api/data/order/" + id);
  EXPECT_EQ(comparable(browser.get(fresh)), nowhere) << "deleted";
  server.add_tenant("other");
  const InvoiceSigner signer("2026:an invoice secret of the tests");
  const std::string kept = order();
  const Instant later = now() + std::chrono::hours(1);
  EXPECT_EQ(
      browser.get("/orders/invoice/" + signer.sign({TenantId(std::string("default")), OrderId(kept), later, 0})).status,
      200);
  for (const InvoiceLink& bad : {InvoiceLink{TenantId(std::string("other")), OrderId(kept), later, 0},
                                 InvoiceLink{TenantId(std::string("nobody")), OrderId(kept), later, 0},
                                 InvoiceLink{TenantId(std::string("default")), OrderId(kept), now(), 0},
                                 InvoiceLink{TenantId(std::string("default")), OrderId(kept), later, 1}}) {
    EXPECT_EQ(comparable(browser.get("/orders/invoice/" + signer.sign(bad))), nowhere);
  }
}

TEST_P(Payments, links_are_made_by_admins_within_bounds) {
  const std::string path = "/api/orders/" + order() + "/invoice-link";
  EXPECT_TRUE(admin.post(path, "{}").text("/url").starts_with("https://shop.test/orders/invoice/"));
  EXPECT_EQ(admin.send("POST", path, "", {}).status, 200);
  for (const char* wrong : {"0", "31536001", "1.5", "\"60\""}) {
    EXPECT_EQ(admin.post(path, fmt::format(R"({{"expiresInSeconds":{}}})", wrong)).status, 400) << wrong;
  }
  EXPECT_EQ(admin.post("/api/orders/unknown/invoice-link", "{}").status, 404);
  EXPECT_EQ(server.member("default", "data.read", "data.write").post(path, "{}").status, 403);
  TestServer without(GetParam(), {{"INVOICE_LINK_SIGNING_SECRET", ""}});
  EXPECT_EQ(without.admin().post("/api/orders/unknown/invoice-link", "{}").status, 503);
}

TEST_P(Payments, a_payment_in_full_pays_the_order_once) {
  const std::string id = order(), page = link(id), invoice = open(id);
  EXPECT_NE(gateway.stand_in.requests("/api/v1/stores/store/invoices")[0].body.find(R"("amount":"49.00")"),
            std::string::npos);
  EXPECT_EQ(open(id), invoice) << "the open payment is used again";
  gateway.set(invoice, "Processing");
  EXPECT_EQ(webhook(invoice, "InvoiceProcessing").status, 200);
  EXPECT_NE(browser.get(page).body.find("being confirmed"), std::string::npos);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  gateway.set(invoice, "Settled");
  EXPECT_EQ(webhook(invoice).body, R"({"ok":true})");
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(webhook(invoice).status, 200);
  EXPECT_NE(browser.get(page).body.find("This invoice is paid"), std::string::npos);
  EXPECT_EQ(browser.send("POST", page + "/pay/BTC_GATEWAY", "", {}).header("location"), page);
  EXPECT_EQ(attention().size("/items"), 0U);
  const HttpReply all = admin.get("/api/admin/payments");
  EXPECT_EQ(all.size("/items"), 1U);
  EXPECT_EQ(all.text("/items/0/status"), "PAID");
  EXPECT_EQ(all.text("/items/0/providerPaymentId"), invoice);
  EXPECT_EQ(all.integer("/items/0/amountCents"), 4900);
}

TEST_P(Payments, what_is_not_in_order_is_kept_and_flagged) {
  const struct {
    const char* settled;
    const char* status;
    const char* extra;
    const char* order_status;
    const char* attention;
  } rows[] = {
      {"Settled", "PENDING_PAYMENT", R"(,"additionalStatus":"PaidOver","paidAmount":"50.00")", "PAID", "OVERPAID"},
      {"Expired", "PENDING_PAYMENT", R"(,"additionalStatus":"PaidPartial","paidAmount":"10.00")", "PENDING_PAYMENT",
       "UNDERPAID"},
      {"Expired", "PENDING_PAYMENT", R"(,"additionalStatus":"PaidLate")", "PAID", "LATE"},
      {"Settled", "CANCELLED", "", "CANCELLED", "LATE"},
      {"Settled", "PAID", "", "PAID", "DUPLICATE"},
  };
  for (const auto& row : rows) {
    const std::string id = order(), invoice = open(id);
    admin.patch("/api/data/order/" + id, fmt::format(R"({{"status":"{}"}})", row.status));
    gateway.set(invoice, row.settled, row.extra);
    EXPECT_EQ(webhook(invoice).status, 200);
    EXPECT_EQ(status(id), row.order_status) << row.attention;
    EXPECT_EQ(attention().text("/items/0/attention"), row.attention);
    EXPECT_EQ(attention().text("/items/0/orderId"), id);
  }
  gateway.add("strange", "no-such-order", "12.00", "EUR");
  EXPECT_EQ(webhook("strange").status, 200);
  EXPECT_EQ(attention().text("/items/0/attention"), "UNKNOWN_ORDER");
  EXPECT_EQ(attention().integer("/items/0/amountCents"), 1200);
  EXPECT_EQ(attention().text("/items/0/currency"), "EUR");
  const std::string id = order();
  gateway.add("euros", id, "49.00", "EUR");
  EXPECT_EQ(webhook("euros").status, 200);
  EXPECT_EQ(attention().text("/items/0/attention"), "CURRENCY_MISMATCH");
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  const HttpReply page = admin.get("/api/admin/payments?attention=true&limit=2");
  EXPECT_EQ(page.size("/items"), 2U);
  EXPECT_EQ(admin.get("/api/admin/payments?attention=true&limit=200&cursor=" + page.text("/nextCursor")).size("/items"),
            5U);
}

TEST_P(Payments, webhooks_are_believed_only_with_the_tenants_signature) {
  const std::string path = "/api/payments/crypto-gateway/webhook/default", body = R"({"deliveryId":"x","type":"y"})";
  const auto post = [&](const std::string& where, const std::string& what, const std::string& signature) {
    return browser.send("POST", where, what, {{"BTCPay-Sig", signature}}).status;
  };
  EXPECT_EQ(post(path, body, crypto_gateway_signature(body, secret)), 200) << "of no interest, and acknowledged";
  EXPECT_EQ(post(path, body, crypto_gateway_signature(body, "wrong")), 401);
  EXPECT_EQ(post(path, body, ""), 401);
  EXPECT_EQ(post(path, body + " ", crypto_gateway_signature(body, secret)), 401);
  EXPECT_EQ(post(path, "no json", crypto_gateway_signature("no json", secret)), 400);
  EXPECT_EQ(post("/api/payments/crypto-gateway/webhook/nobody", body, crypto_gateway_signature(body, secret)), 404);
  EXPECT_EQ(post("/api/payments/unknown/webhook/default", body, ""), 404);
  EXPECT_EQ(post("/api/payments/apppay/webhook/default", body, ""), 500) << "no secret, in production";
  EXPECT_EQ(browser.send("POST", path, std::string(256 * 1024 + 1, 'x'), {}).status, 413);
  admin.put("/api/admin/payment-methods",
            R"({"methods":[{"method":"BTC_GATEWAY","credentials":{"webhookSecret":"own"}}]})");
  EXPECT_EQ(post(path, body, crypto_gateway_signature(body, secret)), 401) << "the tenant has its own now";
  EXPECT_EQ(post(path, body, crypto_gateway_signature(body, "own")), 200);
}

TEST_P(Payments, webhook_and_return_at_the_same_moment_settle_once) {
  const std::string id = order(), page = link(id), invoice = open(id);
  gateway.set(invoice, "Settled");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(webhook(invoice).status, 200); });
    threads.emplace_back([&] { EXPECT_EQ(HttpClient(server.port()).get(page + "/return").status, 303); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(status(id), "PAID");
  std::int64_t events_told = 0;
  server.write([&](Tx& tx) {
    static const Sql sql("SELECT COUNT(*) FROM outbox_messages WHERE payload LIKE '%order.paid%'");
    tx.run({&sql, {}}, [&](const Row& row) { events_told = row.integer(0); });
  });
  EXPECT_EQ(events_told, 1);
  EXPECT_EQ(attention().size("/items"), 0U);
}

TEST_P(Payments, a_double_click_opens_one_payment) {
  gateway.creation_takes = std::chrono::milliseconds(300);
  const std::string page = link(order());
  std::vector<std::string> targets(4);
  std::vector<std::thread> threads;
  for (std::string& target : targets) {
    threads.emplace_back(
        [&] { target = HttpClient(server.port()).send("POST", page + "/pay/BTC_GATEWAY", "", {}).header("location"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(gateway.created(), 1);
  for (const std::string& target : targets) EXPECT_EQ(target, gateway.stand_in.url("/i/inv1"));
}

TEST_P(Payments, a_processor_that_is_down_costs_nothing_but_a_retry) {
  const std::string id = order(), page = link(id);
  gateway.stand_in.on("POST", "/api/v1/stores/store/invoices", test::StandInReply{.status = 500});
  const HttpReply sorry =
      browser.send("POST", page + "/pay/BTC_GATEWAY", "x=1", {{"Content-Type", "application/x-www-form-urlencoded"}});
  EXPECT_EQ(sorry.status, 503);
  EXPECT_NE(sorry.body.find("Nothing was paid"), std::string::npos);
  EXPECT_NE(sorry.body.find("Try again"), std::string::npos);
  gateway.stand_in.on("POST", "/api/v1/stores/store/invoices",
                      test::StandInReply{.body = R"({"id":"late","checkoutLink":"https://pay.test/late"})"});
  EXPECT_EQ(browser.send("POST", page + "/pay/BTC_GATEWAY", "", {}).header("location"), "https://pay.test/late");
  EXPECT_EQ(admin.get("/api/admin/payments").size("/items"), 1U) << "the same payment, tried again";
}

TEST_P(Payments, open_too_long_are_asked_about) {
  const std::string id = order(), invoice = open(id);
  gateway.set(invoice, "Settled");  // and no webhook ever comes
  for (int i = 0; i < 200 && status(id) != "PAID"; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(status(id), "PAID");
}

TEST_P(Payments, refunds_never_exceed_what_was_paid) {
  const std::string id = order(), path = "/api/data/order/" + id + "/refund";
  EXPECT_EQ(admin.post(path, "{}").code(), "NOTHING_TO_REFUND");
  const std::string invoice = open(id);
  gateway.set(invoice, "Settled");
  webhook(invoice);
  EXPECT_EQ(admin.post(path, R"({"amountCents":4901})").code(), "REFUND_EXCEEDS_PAYMENT");
  EXPECT_EQ(admin.post(path, R"({"amountCents":0})").status, 400);
  const HttpReply part = admin.post(path, R"({"amountCents":900,"reason":"scratched"})");
  EXPECT_EQ(part.status, 201);
  EXPECT_EQ(part.text("/orderStatus"), "PAID");
  EXPECT_FALSE(part.boolean("/refunds/0/throughProcessor")) << "the gateway cannot return money by itself";
  std::vector<std::thread> threads;
  std::atomic<int> done = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, client = CheckedClient(admin)]() mutable {
      if (client.post(path, R"({"amountCents":1500})").status == 201) ++done;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 2);
  EXPECT_EQ(status(id), "PAID");
  const HttpReply rest = admin.post(path, "");
  EXPECT_EQ(rest.integer("/amountCents"), 1000);
  EXPECT_EQ(rest.integer("/refundedCents"), 4900);
  EXPECT_EQ(rest.text("/orderStatus"), "REFUNDED");
  EXPECT_EQ(admin.get("/api/admin/payments").text("/items/0/status"), "REFUNDED");
  EXPECT_EQ(admin.post(path, "{}").code(), "NOTHING_TO_REFUND");
  EXPECT_EQ(admin.get("/api/data/order/" + id + "/refunds").size("/items"), 4U);
}

TEST_P(Payments, an_order_that_was_paid_by_hand_can_be_refunded) {
  const std::string id = order(R"(,"status":"SHIPPED")"), path = "/api/data/order/" + id + "/refund";
  const HttpReply first = admin.post(path, "{}", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(first.text("/orderStatus"), "REFUNDED");
  const HttpReply again = admin.post(path, "{}", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("idempotent-replayed"), "true");
  EXPECT_EQ(server.member("default", "data.read").post(path, "{}").status, 403);
}

}  // namespace
}  // namespace guildhall
