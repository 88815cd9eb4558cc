// Attacks: a shop that wants to move another shop's money, and somebody who wants to have paid without paying.
#include <future>
#include <list>

#include "support/eventually.h"
#include "support/processor_shop.h"
#include "support/same_checksum.h"

namespace guildhall {
namespace {

using test::Accounts, test::HttpClient, test::HttpReply;

const std::string methods = "/api/admin/payment-methods";

// The operator has accounts for tenants without their own; this tenant has none of its own yet. The processors accept
// the operator's credentials only, so that a call with others fails.
class PaymentWalls : public test::ProcessorShop {
 protected:
  PaymentWalls() : ProcessorShop(Accounts::operators) { sandbox.forget_calls(); }

  HttpReply refund(const std::string& id) { return admin->post("/api/data/order/" + id + "/refund", "{}"); }

  void set_own_account() {
    configure(R"({"method":"APPPAY","settings":{"locationId":"own"},"credentials":{"accessToken":"own-token",)"
              R"("webhookSecret":"mine"}})");
  }

  void clear_own_account() {
    configure(R"({"method":"APPPAY","settings":{"locationId":null},"credentials":{"accessToken":null,)"
              R"("webhookSecret":null}})");
  }

  HttpReply payment() { return admin->get("/api/admin/payments"); }

  HttpReply flagged() { return admin->get("/api/admin/payments?attention=true"); }
};
INSTANTIATE_TEST_SUITE_P(Pairs, PaymentWalls, test::engines, test::engine_name);

TEST_P(PaymentWalls, a_forged_webhook_never_refunds_another_shops_payment) {
  const HttpReply shown = configure(R"({"method":"APPPAY","credentials":{"webhookSecret":"mine"}})");
  EXPECT_FALSE(shown.boolean("/methods/1/configured")) << "the operator's token is not for this account";
  EXPECT_TRUE(shown.boolean("/methods/1/webhooksVerified"));
  const std::string unpaid = order(), paid_by_hand = order();
  admin->patch("/api/data/order/" + paid_by_hand, R"({"status":"PAID"})");
  EXPECT_EQ(send_card(card_completed("VICTIM-1", "VICTIM-ORDER-1", unpaid, "e1"), "mine"), 200);
  EXPECT_EQ(send_card(card_completed("VICTIM-2", "VICTIM-ORDER-2", paid_by_hand, "e2"), "mine"), 200);
  EXPECT_EQ(status(unpaid), "PENDING_PAYMENT");
  const HttpReply list = flagged();
  EXPECT_EQ(list.size("/items"), 2U);
  EXPECT_EQ(list.text("/items/0/attention"), "DUPLICATE");
  EXPECT_EQ(list.text("/items/0/orderId"), paid_by_hand);
  EXPECT_EQ(list.text("/items/1/attention"), "UNKNOWN_ORDER");
  EXPECT_TRUE(list.is_null("/items/1/orderId"));
  EXPECT_EQ(list.text("/items/1/claimedOrderId"), unpaid);
  for (const std::string& id : {unpaid, paid_by_hand}) {
    const HttpReply refused = refund(id);
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.code(), "REFUND_NOT_POSSIBLE") << refused.body;
  }
  configure(R"({"method":"APPPAY","credentials":{"webhookSecret":null}})");  // now with the operator's token
  EXPECT_EQ(refund(unpaid).code(), "REFUND_NOT_POSSIBLE");
  EXPECT_EQ(refund(paid_by_hand).code(), "REFUND_NOT_POSSIBLE");
  EXPECT_EQ(sandbox.arrived("card"), 0) << "nothing reaches the processor";
}

TEST_P(PaymentWalls, a_webhook_does_not_decide_which_payment_is_refunded) {
  const std::string id = order(), opened = open(id, "APPPAY");
  EXPECT_EQ(send_card(card_completed("VICTIM", opened)), 200);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(refund(id).code(), "REFUND_NOT_POSSIBLE") << "the processor knows of no payment";
  EXPECT_TRUE(sandbox.calls("card", "/v2/refunds").empty());
}

TEST_P(PaymentWalls, a_webhook_of_the_tenants_own_account_does_not_pay_a_payment_of_the_operators) {
  const std::string id = order(), opened = open(id, "APPPAY");
  set_own_account();
  const std::string before = payment().body;
  EXPECT_EQ(send_card(card_completed("PAY1", opened), "mine"), 200) << "well signed, and stored";
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(payment().body, before) << "the payment is untouched";
  const HttpReply events = admin->get("/api/data/webhook-event");
  EXPECT_EQ(events.text("/items/0/status"), "IGNORED");
  EXPECT_TRUE(sandbox.calls("card", "/v2/orders/*").empty()) << "nothing is asked because of it";

  clear_own_account();
  act(opened, "pay");
  EXPECT_EQ(status(id), "PAID") << "a webhook of the account that opened the payment pays";
}

TEST_P(PaymentWalls, a_stored_webhook_keeps_the_account_that_verified_it) {
  const std::string id = order(), opened = open(id, "APPPAY");
  set_own_account();
  EXPECT_EQ(send_card(card_completed("PAY1", opened), "mine"), 200);
  clear_own_account();
  const std::string event = "/api/data/webhook-event/" + admin->get("/api/data/webhook-event").text("/items/0/id");
  EXPECT_EQ(admin->patch(event, R"({"status":"RECEIVED"})").status, 200);
  EXPECT_TRUE(test::eventually([&] { return admin->get(event).text("/status") != "RECEIVED"; }));
  EXPECT_EQ(admin->get(event).text("/status"), "IGNORED") << "although the operator's account is in use again";
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
}

TEST_P(PaymentWalls, a_webhook_of_the_tenants_own_account_never_asks_the_operators) {
  set_own_account();
  sandbox.fail("card", sandbox::FaultKind::error);
  EXPECT_EQ(send_card(card_completed("PAY9", "SO9"), "mine"), 200);
  clear_own_account();
  sandbox.forget_calls();
  static const Sql make_due("UPDATE outbox_messages SET due_at = 1 WHERE topic = 'payment.check'");
  static const Sql attempts_sql("SELECT attempts FROM outbox_messages WHERE topic = 'payment.check'");
  server->write([](Tx& tx) { EXPECT_GT(tx.run({&make_due, {}}), 0) << "the outbox is to ask once more"; });
  EXPECT_TRUE(test::eventually([&] {
    std::int64_t attempts = 0;
    server->write([&](Tx& tx) { tx.run({&attempts_sql, {}}, [&](const Row& row) { attempts = row.integer(0); }); });
    return attempts > 0;
  }));
  for (const sandbox::Call& call : sandbox.calls("card")) {
    EXPECT_EQ(test::header_of(call, "Authorization").find(sandbox.secret("card token")), std::string::npos) << call.url;
  }
}

TEST_P(PaymentWalls, a_payment_of_the_operators_account_is_asked_about_and_refunded_there) {
  const std::string id = order(), opened = open(id, "APPPAY");
  set_own_account();
  sandbox.act(opened, "pay");  // the event is lost
  EXPECT_EQ(HttpClient(server->port()).get(page + "/return").status, 303);
  EXPECT_EQ(status(id), "PAID") << "the customer's return asks the operator's account";
  const std::string dispute = fmt::format(
      R"({{"type":"dispute.state.updated","event_id":"d","data":{{"object":{{"dispute":{{"id":"D1","state":"LOST",)"
      R"("disputed_payment":{{"payment_id":"{}"}},"amount_money":{{"amount":4900,"currency":"USD"}}}}}}}}}})",
      sandbox.payment(opened).transaction);
  EXPECT_EQ(send_card(dispute, "mine"), 200);
  EXPECT_EQ(status(id), "PAID") << "nor does a forged charge-back change the payment";
  EXPECT_EQ(refund(id).text("/orderStatus"), "REFUNDED") << "the processor accepts the operator's token only";
  EXPECT_EQ(sandbox.payment(opened).refunds.size(), 1U);
}

TEST_P(PaymentWalls, a_payment_of_the_tenants_account_is_not_refunded_with_the_operators) {
  set_own_accounts();  // the tenant has entered them itself, so they are the tenant's
  const std::string id = order(), opened = open(id, "APPPAY");
  act(opened, "pay");
  EXPECT_EQ(status(id), "PAID") << "the tenant's own payment, by its own webhook";
  clear_own_account();
  sandbox.forget_calls();
  const HttpReply refused = refund(id);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "REFUND_NOT_POSSIBLE") << refused.body;
  EXPECT_TRUE(sandbox.calls("card").empty()) << "the operator's token is not for this payment";
}

TEST_P(PaymentWalls, a_payment_without_a_known_account_follows_the_account_in_use) {
  const std::string id = order(), opened = open(id, "APPPAY");
  server->write([](Tx& tx) {
    static const Sql older("UPDATE payments SET opened_with = NULL");
    tx.run({&older, {}});
  });
  set_own_account();
  EXPECT_EQ(send_card(card_completed("PAY1", opened), "mine"), 200);
  EXPECT_EQ(status(id), "PAID");
}

TEST_P(PaymentWalls, a_webhook_of_another_account_that_is_quicker_than_the_answer_pays_nothing) {
  const std::string id = order();
  sandbox.fail("card", sandbox::FaultKind::held, "/v2/online-checkout/payment-links");
  auto opening = std::async(std::launch::async, [&] { return pay(id, "APPPAY").status; });
  EXPECT_TRUE(test::eventually([&] { return sandbox.payments("card") == 1; }));
  const std::string opened = sandbox.last_payment("card");
  test::CheckedClient own = server->admin();  // on a connection of its own: the other one is in use
  EXPECT_EQ(own.put(methods, R"({"methods":[{"method":"APPPAY","credentials":{"webhookSecret":"mine"}}]})").status,
            200);
  EXPECT_EQ(send_card(card_completed("PAY1", opened), "mine"), 200);
  sandbox.recover("card");
  EXPECT_EQ(opening.get(), 303);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(flagged().size("/items"), 0U) << "the statement is replaced by what the processor answered";
  sandbox.act(opened, "pay");
  EXPECT_EQ(HttpClient(server->port()).get(page + "/return").status, 303);
  EXPECT_EQ(status(id), "PAID") << "the account that opened the payment is asked";
}

TEST_P(PaymentWalls, a_payment_that_the_api_confirms_is_settled_and_refunded) {
  const std::string id = order();
  sandbox.add_paid("card", "SO1", id, 4900, "USD");
  EXPECT_EQ(send_card(card_completed("SO1-T", "SO1", id)), 200);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(flagged().size("/items"), 0U);
  EXPECT_EQ(refund(id).text("/orderStatus"), "REFUNDED");
}

TEST_P(PaymentWalls, values_are_all_the_tenants_or_all_the_environments) {
  const HttpReply environments = admin->get(methods);
  for (const char* method : {"0", "1"}) {
    EXPECT_TRUE(environments.boolean(fmt::format("/methods/{}/configured", method)));
    EXPECT_TRUE(environments.boolean(fmt::format("/methods/{}/webhooksVerified", method)));
  }
  for (const char* value : {R"("settings":{"webhookId":"w"})", R"("credentials":{"clientId":"c"})",
                            R"("credentials":{"clientSecret":"s"})"}) {
    const HttpReply own = configure(fmt::format(R"({{"method":"WALLET",{}}})", value));
    EXPECT_FALSE(own.boolean("/methods/0/configured")) << value;
    const HttpReply none = configure(
        R"({"method":"WALLET","settings":{"webhookId":null},"credentials":{"clientId":null,"clientSecret":null}})");
    EXPECT_TRUE(none.boolean("/methods/0/configured")) << "the environment's again";
  }
  EXPECT_TRUE(configure(R"({"method":"APPPAY","settings":{"notificationUrl":"https://x.test/"}})")
                  .boolean("/methods/1/configured"))
      << "a preference is no account";
  EXPECT_FALSE(configure(R"({"method":"APPPAY","settings":{"locationId":"own"}})").boolean("/methods/1/configured"));
  const std::string id = order();
  EXPECT_EQ(pay(id, "APPPAY").status, 503);
  EXPECT_EQ(HttpClient(server->port()).get(page).body.find("/pay/APPPAY"), std::string::npos) << "no button either";
  EXPECT_EQ(sandbox.arrived("card") + sandbox.arrived("wallet"), 0);
}

TEST_P(PaymentWalls, a_recorded_wallet_delivery_pays_nothing_else) {
  const std::string honest = order(), dear = order("p", 490000), opened = open(dear, "WALLET");
  const std::string recorded = wallet_captured("CAP1", opened, honest);
  const std::string altered =
      test::with_checksum(wallet_captured("CAP1", opened, dear, "4900.00", "WH-2"), test::crc32_of(recorded));
  ASSERT_NE(altered, recorded);
  test::SignedWebhook webhook = sandbox.sign("wallet", "/api/payments/wallet/webhook/default", recorded);
  webhook.body = altered;
  EXPECT_EQ(send(webhook), 200) << "the signature fits";
  EXPECT_EQ(status(dear), "PENDING_PAYMENT");
  EXPECT_EQ(sandbox.calls("wallet", "/v2/checkout/orders/*").size(), 1U) << "the wallet was asked";
  act(opened, "pay");
  EXPECT_EQ(status(dear), "PAID") << "what the wallet itself says counts";
}

TEST_P(PaymentWalls, a_wallet_event_without_credentials_to_ask_with_is_kept_and_flagged) {
  configure(fmt::format(R"({{"method":"WALLET","settings":{{"webhookId":"{}"}}}})", sandbox::wallet_webhook));
  const std::string id = order();
  EXPECT_EQ(send_wallet(wallet_captured("CAP1", "PP1", id)), 200);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(flagged().text("/items/0/attention"), "UNKNOWN_ORDER");
  EXPECT_EQ(flagged().text("/items/0/claimedOrderId"), id);
  EXPECT_EQ(refund(id).code(), "REFUND_NOT_POSSIBLE");
  EXPECT_EQ(send_wallet(R"({"id":"WH-2","event_type":"PAYMENT.CAPTURE.REVERSED","resource":{"id":"RF1",)"
                        R"("amount":{"value":"49.00","currency_code":"USD"},)"
                        R"("links":[{"rel":"up","href":"https://x/v2/payments/captures/CAP1"}]}})"),
            200);
  const HttpReply events = admin->get("/api/data/webhook-event");
  EXPECT_EQ(events.size("/items"), 2U);
  EXPECT_EQ(events.text("/items/0/status"), "FAILED") << "tried again when there are credentials";
  EXPECT_EQ(sandbox.calls("wallet").size(), sandbox.calls("wallet", "/v1/notifications/certs/*").size())
      << "nothing else was asked";
}

TEST_P(PaymentWalls, a_webhook_that_is_quicker_than_the_answer_pays_the_order_all_the_same) {
  const std::string id = order();
  sandbox.fail("card", sandbox::FaultKind::held, "/v2/online-checkout/payment-links");
  auto opening = std::async(std::launch::async, [&] { return pay(id, "APPPAY").status; });
  EXPECT_TRUE(test::eventually([&] { return sandbox.payments("card") == 1; }));
  act(sandbox.last_payment("card"), "pay");
  sandbox.recover("card");
  EXPECT_EQ(opening.get(), 303);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(flagged().size("/items"), 0U);
}

TEST_P(PaymentWalls, credentials_are_visible_ascii) {
  for (const char* wrong : {R"(token\r\nX-Admin: yes)", R"(token\n)", "two words", "schlüssel", R"(a\u0000b)"}) {
    const HttpReply refused =
        admin->put(methods, fmt::format(R"({{"methods":[{{"method":"APPPAY","credentials":{{"accessToken":"{0}"}}}},)"
                                        R"({{"method":"WALLET","credentials":{{"clientId":"{0}"}}}}]}})",
                                        wrong));
    EXPECT_EQ(refused.status, 400) << wrong;
    if (std::string_view(wrong).find("u0000") != std::string_view::npos) continue;  // reported for the whole body
    EXPECT_EQ(refused.wrong_fields(),
              (std::vector<std::string>{"methods[0].credentials.accessToken", "methods[1].credentials.clientId"}))
        << wrong;
  }
}

TEST_P(PaymentWalls, a_key_that_a_webhook_has_twice_is_a_400) {
  const std::string body = R"({"type":"payment.updated","event_id":"e1","event_id":"e2"})";
  EXPECT_EQ(send_card(body), 400);
  EXPECT_EQ(send_card(body, "wrong"), 401) << "the signature comes first";
  EXPECT_EQ(send_card(R"({"type":"x","event_id":"e1","data":{"a":1,"a":2}})"), 400);
}

// A shop whose wallet names addresses of certificates that never answer.
class SlowCertificates : public test::ProcessorShop {
 protected:
  SlowCertificates() { sandbox.fail("wallet", sandbox::FaultKind::held); }

  // A webhook as it goes over the wire, with a certificate's address that no other has.
  std::string webhook(int number, const std::string& tenant = "default") const {
    const std::string path = "/api/payments/wallet/webhook/" + tenant;
    std::string request = fmt::format("POST {} HTTP/1.1\r\nHost: x\r\n", path);
    for (auto [name, value] : sandbox.sign("wallet", path, "{}").headers) {
      if (name == "PAYPAL-CERT-URL") value = fmt::format("{}/C{}", sandbox.url("/v1/notifications/certs"), number);
      request += name + ": " + value + "\r\n";
    }
    return request + "Content-Length: 2\r\n\r\n{}";
  }
};
INSTANTIATE_TEST_SUITE_P(Pairs, SlowCertificates, test::engines, test::engine_name);

TEST_P(SlowCertificates, do_not_stop_payments) {
  std::list<test::RawConnection> webhooks;
  for (int i = 0; i < 100; ++i) webhooks.emplace_back(server->port()).send(webhook(i));
  EXPECT_TRUE(test::eventually([&] { return sandbox.arrived("wallet") >= 2; }));
  EXPECT_EQ(pay(order(), "APPPAY").status, 303);
  EXPECT_LE(sandbox.arrived("wallet"), 4) << "few are fetched at a time";
  sandbox.recover("wallet");
}

TEST_P(SlowCertificates, are_not_fetched_for_a_tenant_that_does_not_exist) {
  test::RawConnection connection(server->port());
  connection.send(webhook(1, "nobody"));
  EXPECT_EQ(connection.receive().status, 401);
  EXPECT_EQ(sandbox.arrived("wallet"), 0);
}

}  // namespace
}  // namespace guildhall
