// The other processors end to end: each with its own API, played by the sandbox over real HTTP.
#include "support/processor_shop.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply;

class Processors : public test::ProcessorShop {};
INSTANTIATE_TEST_SUITE_P(Pairs, Processors, test::engines, test::engine_name);

TEST_P(Processors, crypto_commerce_is_paid_by_its_confirmed_event) {
  const std::string id = order(), charge = open(id, "CRYPTO_COMMERCE");
  const sandbox::Call asked = sandbox.calls("commerce", "/charges")[0];
  EXPECT_NE(asked.request_body.find(R"("local_price":{"amount":"49.00","currency":"USD"})"), std::string::npos);
  act(charge, "see");
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  const auto events = sandbox.act(charge, "pay");
  EXPECT_EQ(send(events.back()), 200);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(send(events.back()), 200);
  EXPECT_EQ(admin->get("/api/admin/payments").size("/items"), 1U);
}

TEST_P(Processors, crypto_commerce_does_not_take_another_currency_for_the_price) {
  const std::string id = order(), charge = open(id, "CRYPTO_COMMERCE");
  const std::string body = fmt::format(
      R"({{"id":"x","event":{{"id":"e1","type":"charge:confirmed","data":{{"id":"{}","metadata":{{"orderId":"{}"}},)"
      R"("pricing":{{"local":{{"amount":"49.00","currency":"USD"}}}},"payments":[{{"status":"CONFIRMED",)"
      R"("value":{{"local":{{"amount":"1.00","currency":"EUR"}}}}}}]}}}}}})",
      charge, id);
  EXPECT_EQ(send(sandbox.sign("commerce", "/api/payments/crypto-commerce/webhook/default", body)), 200);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").text("/items/0/attention"), "CURRENCY_MISMATCH");
}

TEST_P(Processors, wallet_is_captured_on_return_and_refunded_through_its_api) {
  const std::string id = order(), payment = open(id, "WALLET");
  EXPECT_FALSE(test::header_of(sandbox.calls("wallet", "/v2/checkout/orders")[0], "PayPal-Request-Id").empty());
  sandbox.act(payment, "pay");  // the customer agrees, and the event is lost
  EXPECT_EQ(HttpClient(server->port()).get(page + "/return").status, 303);
  EXPECT_EQ(status(id), "PAID");
  test::SignedWebhook captured = sandbox.take_webhooks().at(0);
  EXPECT_EQ(send(captured), 200);
  captured.headers.pop_back();
  EXPECT_EQ(send(captured), 401) << "a header of the signature is missing";
  EXPECT_EQ(admin->get("/api/admin/payments").size("/items"), 1U);
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").size("/items"), 0U);

  const std::string path = "/api/data/order/" + id + "/refund", refunds = "/v2/payments/captures/*/refund";
  sandbox.answer("wallet", refunds, 422, "{}");
  EXPECT_EQ(admin->post(path, "{}").code(), "REFUND_REFUSED");
  EXPECT_EQ(status(id), "PAID");
  sandbox.recover("wallet");
  const HttpReply part = admin->post(path, R"({"amountCents":900})");
  EXPECT_EQ(part.text("/refunds/0/status"), "DONE");
  EXPECT_EQ(part.text("/refunds/0/providerRefundId"), sandbox.payment(payment).refunds.at(0).id);
  EXPECT_NE(sandbox.calls("wallet", refunds).back().request_body.find(R"("value":"9.00")"), std::string::npos);
  send_waiting();  // the report of our own refund
  EXPECT_EQ(admin->get("/api/data/order/" + id + "/refunds").size("/items"), 2U);
  act(payment, "refund", 4000);  // the shop returned the rest at the processor itself
  EXPECT_EQ(status(id), "REFUNDED");
}

TEST_P(Processors, apppay_is_paid_by_its_completed_payment_and_refunds_wait_for_a_processor_that_is_down) {
  const std::string id = order(), payment = open(id, "APPPAY");
  EXPECT_NE(sandbox.calls("card")[0].request_body.find(fmt::format(
                R"("price_money":{{"amount":4900,"currency":"USD"}},"location_id":"{}")", sandbox::card_location)),
            std::string::npos);
  act(payment, "see");
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  act(payment, "pay");
  EXPECT_EQ(status(id), "PAID");
  sandbox.fail("card", sandbox::FaultKind::dropped, "/v2/refunds");
  const HttpReply waiting = admin->post("/api/data/order/" + id + "/refund", "{}");
  EXPECT_EQ(waiting.text("/refunds/0/status"), "PENDING");
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(admin->post("/api/data/order/" + id + "/refund", "{}").code(), "NOTHING_TO_REFUND") << "all is reserved";
  send_waiting();
  EXPECT_EQ(status(id), "REFUNDED") << "it had been done after all";
  EXPECT_EQ(admin->get("/api/data/order/" + id + "/refunds").size("/items"), 1U);
}

}  // namespace
}  // namespace guildhall
