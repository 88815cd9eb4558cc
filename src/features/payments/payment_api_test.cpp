#include <gtest/gtest.h>
#include <thread>

#include "audit/audit.h"
#include "features/payments/payment_actions.h"
#include "features/payments/processors/processor_list.h"
#include "support/emitted_events.h"
#include "support/eventually.h"
#include "support/paying_shop.h"
#include "support/round_trips.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply;

class Payments : public test::PayingShop {
 protected:
  const std::string secret = test::gateway_secret();
};
INSTANTIATE_TEST_SUITE_P(Pairs, Payments, test::engines, test::engine_name);

TEST_P(Payments, a_method_says_why_no_payment_can_be_opened_and_whose_account_gets_the_money) {
  const auto wallet = [&](const char* patch) {
    return admin.put("/api/admin/payment-methods", fmt::format(R"({{"methods":[{{"method":"WALLET",{}}}]}})", patch));
  };
  const HttpReply none = admin.get("/api/admin/payment-methods");
  EXPECT_EQ(none.text("/methods/0/product"), "PayPal");
  EXPECT_EQ(none.text("/methods/0/notConfiguredReason"), "NO_VALUES");
  EXPECT_EQ(none.size("/methods/0/missingValues"), 2U);
  EXPECT_TRUE(none.is_null("/methods/0/accountOwner"));
  const HttpReply some = wallet(R"("credentials":{"clientId":"own"})");
  EXPECT_EQ(some.text("/methods/0/notConfiguredReason"), "INCOMPLETE");
  EXPECT_EQ(some.size("/methods/0/missingValues"), 1U);
  EXPECT_EQ(some.text("/methods/0/missingValues/0"), "clientSecret");
  const HttpReply all = wallet(R"("credentials":{"clientSecret":"own"})");
  EXPECT_TRUE(all.is_null("/methods/0/notConfiguredReason"));
  EXPECT_EQ(all.size("/methods/0/missingValues"), 0U);
  EXPECT_EQ(all.text("/methods/0/accountOwner"), "TENANT");
  server.write([&](Tx& tx) {
    static const Sql sql("UPDATE payment_methods SET credentials = 'sealed with another key' WHERE method = 'WALLET'");
    tx.run({&sql, {}});
  });
  const HttpReply unreadable = admin.get("/api/admin/payment-methods");
  EXPECT_EQ(unreadable.text("/methods/0/notConfiguredReason"), "UNREADABLE");
  EXPECT_EQ(unreadable.size("/methods/0/missingValues"), 2U);
}

TEST(PaymentAccounts, without_the_processors_address_nothing_can_be_opened) {
  const PaymentConfig config;
  const PaymentAccounts accounts(config, nullptr);
  const ShownMethod shown =
      accounts.shown(TenantId(std::string("default")), *named<PaymentMethod>("BTC_GATEWAY"), nullptr);
  EXPECT_EQ(shown.not_configured_reason, ConfigurationGap::ADDRESS_MISSING);
  EXPECT_EQ(shown.missing_values, (std::vector<std::string>{"storeId", "apiKey"}));
  EXPECT_FALSE(accounts.shown(TenantId(std::string("default")), cash_method, nullptr).not_configured_reason);
}

TEST_P(Payments, methods_merge_and_never_show_credentials) {
  const HttpReply all = admin.get("/api/admin/payment-methods");
  EXPECT_EQ(all.size("/methods"), 7U);
  EXPECT_EQ(all.text("/methods/3/method"), "BTC_GATEWAY");
  EXPECT_TRUE(all.boolean("/methods/3/enabled"));
  EXPECT_TRUE(all.boolean("/methods/3/processor"));
  EXPECT_TRUE(all.boolean("/methods/3/configured")) << "by the environment";
  EXPECT_TRUE(all.boolean("/methods/3/webhooksVerified"));
  EXPECT_FALSE(all.boolean("/methods/4/processor"));
  EXPECT_EQ(all.text("/methods/3/accountOwner"), "OPERATOR");
  EXPECT_EQ(all.text("/methods/3/product"), "BTCPay Server");
  EXPECT_EQ(all.text("/methods/3/notConfiguredReason"), "");
  EXPECT_EQ(all.text("/methods/4/product"), "") << "a manual method has no processor";
  EXPECT_EQ(all.text("/methods/4/accountOwner"), "");
  EXPECT_FALSE(all.boolean("/methods/0/configured"));
  const HttpReply changed =
      admin.put("/api/admin/payment-methods",
                R"({"methods":[{"method":"BTC_GATEWAY","settings":{"expirationMinutes":30}},{"method":"WALLET",)"
                R"("credentials":{"clientId":"very-hidden","clientSecret":"very-hidden"}}]})");
  EXPECT_EQ(changed.integer("/methods/3/settings/expirationMinutes"), 30);
  EXPECT_TRUE(changed.boolean("/methods/3/configured")) << "a preference leaves the environment's account in use";
  EXPECT_TRUE(changed.boolean("/methods/0/configured")) << "enough to open a payment";
  EXPECT_FALSE(changed.boolean("/methods/0/webhooksVerified"));
  EXPECT_FALSE(changed.boolean("/methods/0/enabled"));
  EXPECT_EQ(changed.body.find("very-hidden"), std::string::npos);
  const HttpReply merged =
      admin.put("/api/admin/payment-methods", R"({"methods":[{"method":"WALLET","settings":{"webhookId":"w"}}]})");
  EXPECT_TRUE(merged.boolean("/methods/0/configured"));
  EXPECT_TRUE(merged.boolean("/methods/0/webhooksVerified"));
  EXPECT_EQ(merged.text("/methods/0/settings/webhookId"), "w");
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

TEST_P(Payments, methods_that_somebody_else_has_changed_are_not_written_over) {
  const std::string path = "/api/admin/payment-methods";
  const auto instructions = [&](std::string_view text, const std::string& version) {
    const auto body = R"({{"methods":[{{"method":"CASH","settings":{{"instructions":"{}"}}}}]}})";
    return admin.put(path, fmt::format(fmt::runtime(body), text), {{"If-Match", version}});
  };
  const std::string read = admin.get(path).header("etag");
  const HttpReply first = instructions("At the bar.", read);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(instructions("At the door.", read).status, 412);
  EXPECT_EQ(admin.get(path).header("etag"), first.header("etag"));
  EXPECT_EQ(instructions("At the door.", first.header("etag")).status, 200);
}

TEST_P(Payments, a_payment_in_full_pays_the_order_once) {
  const std::string id = order(), page = link(id), invoice = open(id);
  EXPECT_NE(sandbox.calls("gateway")[0].request_body.find(R"("amount":"49.00")"), std::string::npos);
  EXPECT_EQ(open(id), invoice) << "the open payment is used again";
  sandbox.act(invoice, "see");
  EXPECT_EQ(webhook(invoice, "InvoiceProcessing").status, 200);
  EXPECT_NE(browser.get(page).body.find("being confirmed"), std::string::npos);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  sandbox.act(invoice, "pay");
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

TEST_P(Payments, fix_the_currency_of_their_order) {
  const std::string unpaid = order(), opened = order(), by_hand = order(R"(,"status":"PAID")");
  ASSERT_EQ(admin.put("/api/admin/settings", R"({"currency":"EUR"})").status, 200);
  sandbox.act(open(opened), "expire");
  for (const std::string& id : {opened, by_hand}) {
    const std::string path = "/api/data/order/" + id;
    for (const char* body : {R"({"currency":"EUR"})", R"({"currency":null})", R"({"currency":"EUR","notes":"n"})"}) {
      EXPECT_EQ(admin.patch(path, body).code(), "ORDER_HAS_PAYMENTS") << body;
    }
    EXPECT_EQ(admin.patch(path, R"({"currency":"USD","notes":"n"})").status, 200) << "the present one may be named";
    EXPECT_EQ(admin.get(path).text("/currency"), "USD");
  }
  EXPECT_EQ(admin.patch("/api/data/order/" + unpaid, R"({"currency":null})").text("/currency"), "EUR");
}

TEST_P(Payments, part_of_the_money_is_flagged_when_the_event_alone_tells_of_it) {
  const std::string id = order(), invoice = open(id);
  sandbox.act(invoice, "expire");
  EXPECT_EQ(webhook(invoice, "InvoiceExpired", "default", R"(,"partiallyPaid":true)").status, 200);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(attention().text("/items/0/attention"), "UNDERPAID");
}

TEST_P(Payments, what_is_not_in_order_is_kept_and_flagged) {
  const struct {
    std::vector<const char*> actions;
    const char* status;
    std::optional<std::int64_t> paid;
    const char* order_status;
    const char* attention;
  } rows[] = {
      {{"overpay"}, "PENDING_PAYMENT", 5000, "PAID", "OVERPAID"},
      {{"payPart", "expire"}, "PENDING_PAYMENT", 1000, "PENDING_PAYMENT", "UNDERPAID"},
      {{"payLate"}, "PENDING_PAYMENT", {}, "PAID", "LATE"},
      {{"pay"}, "CANCELLED", {}, "CANCELLED", "LATE"},
      {{"pay"}, "PAID", {}, "PAID", "DUPLICATE"},
  };
  for (const auto& row : rows) {
    const std::string id = order(), invoice = open(id);
    admin.patch("/api/data/order/" + id, fmt::format(R"({{"status":"{}"}})", row.status));
    for (const char* action : row.actions) sandbox.act(invoice, action, row.paid);
    EXPECT_EQ(webhook(invoice).status, 200);
    EXPECT_EQ(status(id), row.order_status) << row.attention;
    EXPECT_EQ(attention().text("/items/0/attention"), row.attention);
    EXPECT_EQ(attention().text("/items/0/orderId"), id);
  }
  sandbox.add_paid("gateway", "strange", "no-such-order", 1200, "EUR");
  EXPECT_EQ(webhook("strange").status, 200);
  EXPECT_EQ(attention().text("/items/0/attention"), "UNKNOWN_ORDER");
  EXPECT_TRUE(attention().is_null("/items/0/orderId"));
  EXPECT_EQ(attention().text("/items/0/claimedOrderId"), "no-such-order");
  EXPECT_EQ(attention().integer("/items/0/amountCents"), 1200);
  EXPECT_EQ(attention().text("/items/0/currency"), "EUR");
  const std::string id = order();
  sandbox.add_paid("gateway", "euros", id, 4900, "EUR");
  EXPECT_EQ(webhook("euros").status, 200);
  EXPECT_EQ(attention().text("/items/0/attention"), "CURRENCY_MISMATCH");
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  const HttpReply page = admin.get("/api/admin/payments?attention=true&limit=2");
  EXPECT_EQ(page.size("/items"), 2U);
  EXPECT_EQ(admin.get("/api/admin/payments?attention=true&limit=200&cursor=" + page.text("/nextCursor")).size("/items"),
            5U);
}

TEST_P(Payments, a_settlement_needs_three_round_trips) {
  if (GetParam() != test::Engine::postgresql) return;
  std::string id, invoice;
  const auto open_payment = [&] {
    id = order();
    invoice = open(id);
  };
  const auto settle = [&] {
    server.write([&](Tx& tx) {
      PaymentReport report{.kind = PaymentReport::Kind::paid, .provider_payment_id = invoice};
      report.order_id = id;
      report.amount = "49.00";
      report.currency = "USD";
      settle_payment({tx, server.events(), TenantId(std::string("default")), {}, now()}, btc_gateway_processor.provider,
                     report, {ReportSource::api, AccountOwner::OPERATOR});
    });
  };
  EXPECT_EQ(test::fewest_round_trips(server, open_payment, settle), 3);
  EXPECT_EQ(status(id), "PAID");
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
  test::listen_to_events(server);
  const std::string id = order(), page = link(id), invoice = open(id);
  sandbox.act(invoice, "pay");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(webhook(invoice).status, 200); });
    threads.emplace_back([&] { EXPECT_EQ(HttpClient(server.port()).get(page + "/return").status, 303); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(std::ranges::count(test::emitted_events(server), "order.paid"), 1);
  EXPECT_EQ(attention().size("/items"), 0U);
}

TEST_P(Payments, open_too_long_are_asked_about) {
  const std::string id = order(), invoice = open(id);
  sandbox.act(invoice, "pay");  // and no webhook ever comes
  EXPECT_TRUE(test::eventually([&] { return status(id) == "PAID"; })) << status(id);
}

// A shop with an account of its own that has no secret for webhooks.
class UnverifiedWebhooks : public test::PayingShop {
 protected:
  UnverifiedWebhooks() {
    admin.put(
        "/api/admin/payment-methods",
        fmt::format(
            R"({{"methods":[{{"method":"BTC_GATEWAY","settings":{{"storeId":"{}"}},"credentials":{{"apiKey":"{}"}}}}]}})",
            sandbox::gateway_store, sandbox.secret("gateway key")));
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, UnverifiedWebhooks, test::engines, test::engine_name);

TEST_P(UnverifiedWebhooks, are_refused_and_payments_are_opened_and_asked_about_all_the_same) {
  const HttpReply shown = admin.get("/api/admin/payment-methods");
  EXPECT_TRUE(shown.boolean("/methods/3/configured"));
  EXPECT_FALSE(shown.boolean("/methods/3/webhooksVerified"));
  const std::string id = order(), invoice = open(id);
  sandbox.act(invoice, "pay");
  EXPECT_EQ(webhook(invoice).status, 500) << "the environment's secret is not this account's";
  EXPECT_TRUE(test::eventually([&] { return status(id) == "PAID"; })) << status(id);
}

TEST_P(Payments, that_are_flagged_are_resolved_with_a_note) {
  const std::string id = order(), invoice = open(id);
  sandbox.act(invoice, "overpay", 5000);
  webhook(invoice);
  const std::string payment = attention().text("/items/0/id"), path = "/api/admin/payments/" + payment + "/resolve";
  EXPECT_EQ(admin.post(path, "{}").wrong_fields(), std::vector<std::string>{"note"});
  EXPECT_EQ(server.member("default", "data.write").post(path, R"({"note":"x"})").status, 403);
  const HttpReply resolved = admin.post(path, R"({"note":"Ada got her 1.00 back in cash"})");
  EXPECT_EQ(resolved.status, 200) << resolved.body;
  EXPECT_TRUE(resolved.is_null("/attention"));
  EXPECT_EQ(attention().size("/items"), 0U);
  EXPECT_EQ(admin.post(path, R"({"note":"x"})").code(), "NOTHING_TO_RESOLVE");
  EXPECT_EQ(admin.post("/api/admin/payments/unknown/resolve", R"({"note":"x"})").status, 404);
  server.write([&](Tx& tx) {
    const auto trail = tx.all(audit_trail_of(TenantId(std::string("default")), {"payment", payment}, "", 100));
    EXPECT_EQ(trail.back().action, "resolved");
    EXPECT_EQ(trail.back().changes, R"({"attention":{"before":"OVERPAID","after":null},)"
                                    R"("note":{"before":null,"after":"Ada got her 1.00 back in cash"}})");
  });
}

}  // namespace
}  // namespace guildhall
