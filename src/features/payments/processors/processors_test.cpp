// The other processors end to end: each with its own API's shapes, over real HTTP.
#include "support/processor_shop.h"

namespace guildhall {
namespace {

using test::HttpClient, test::HttpReply, test::StandInReply, test::StandInRequest;

class Processors : public test::ProcessorShop {};
INSTANTIATE_TEST_SUITE_P(Pairs, Processors, test::engines, test::engine_name);

TEST_P(Processors, crypto_commerce_is_paid_by_its_confirmed_event) {
  provider.on(
      "POST", "/charges",
      StandInReply{.status = 201, .body = R"({"data":{"id":"ch1","code":"C1","hosted_url":"https://pay.test/C1"}})"});
  const std::string id = order();
  EXPECT_EQ(pay(id, "CRYPTO_COMMERCE").header("location"), "https://pay.test/C1");
  const StandInRequest asked = provider.requests("/charges")[0];
  EXPECT_EQ(asked.header("x-cc-api-key"), "key");
  EXPECT_NE(asked.body.find(R"("local_price":{"amount":"49.00","currency":"USD"})"), std::string::npos);
  const auto event = [&](const std::string& event_id, const std::string& type, const std::string& amount) {
    const std::string body = fmt::format(
        R"({{"id":"x","event":{{"id":"{}","type":"{}","data":{{"id":"ch1","code":"C1","metadata":{{"orderId":"{}"}},)"
        R"("pricing":{{"local":{{"amount":"49.00","currency":"USD"}}}},"payments":[{}]}}}}}})",
        event_id, type, id,
        amount.empty() ? "" : fmt::format(R"({{"value":{{"local":{{"amount":"{}","currency":"USD"}}}}}})", amount));
    return post("crypto-commerce", body, {{"X-CC-Webhook-Signature", crypto_commerce_signature(body, "cc")}});
  };
  EXPECT_EQ(event("e0", "charge:pending", ""), 200);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(event("e1", "charge:confirmed", "49.00"), 200);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(event("e1", "charge:confirmed", "49.00"), 200);
  EXPECT_EQ(admin->get("/api/admin/payments").size("/items"), 1U);
}

TEST_P(Processors, crypto_commerce_does_not_take_another_currency_for_the_price) {
  provider.on(
      "POST", "/charges",
      StandInReply{.status = 201, .body = R"({"data":{"id":"ch1","code":"C1","hosted_url":"https://pay.test/C1"}})"});
  const std::string id = order();
  pay(id, "CRYPTO_COMMERCE");
  const std::string body = fmt::format(
      R"({{"id":"x","event":{{"id":"e1","type":"charge:confirmed","data":{{"id":"ch1","metadata":{{"orderId":"{}"}},)"
      R"("pricing":{{"local":{{"amount":"49.00","currency":"USD"}}}},"payments":[{{"status":"CONFIRMED",)"
      R"("value":{{"local":{{"amount":"1.00","currency":"EUR"}}}}}}]}}}}}})",
      id);
  EXPECT_EQ(post("crypto-commerce", body, {{"X-CC-Webhook-Signature", crypto_commerce_signature(body, "cc")}}), 200);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").text("/items/0/attention"), "CURRENCY_MISMATCH");
}

TEST_P(Processors, wallet_is_captured_on_return_and_refunded_through_its_api) {
  provider.on("POST", "/v2/checkout/orders",
              StandInReply{.status = 201,
                           .body = R"({"id":"PP1","status":"PAYER_ACTION_REQUIRED","links":[{"rel":"self","href":"x"},)"
                                   R"({"rel":"payer-action","href":"https://pay.test/PP1"}]})"});
  const std::string id = order();
  EXPECT_EQ(pay(id, "WALLET").header("location"), "https://pay.test/PP1");
  EXPECT_EQ(provider.requests("/v1/oauth2/token")[0].header("authorization"), "Basic aWQ6c2VjcmV0");
  const StandInRequest asked = provider.requests("/v2/checkout/orders")[0];
  EXPECT_EQ(asked.header("authorization"), "Bearer bearer");
  EXPECT_FALSE(asked.header("paypal-request-id").empty());
  provider.on("GET", "/v2/checkout/orders/PP1",
              StandInReply{.body = fmt::format(
                               R"({{"id":"PP1","status":"APPROVED","purchase_units":[{{"custom_id":"{}"}}]}})", id)});
  provider.on("POST", "/v2/checkout/orders/PP1/capture",
              StandInReply{
                  .status = 201,
                  .body = R"({"id":"PP1","status":"COMPLETED","purchase_units":[{"payments":{"captures":[{"id":"CAP1",)"
                          R"("status":"COMPLETED","amount":{"value":"49.00","currency_code":"USD"}}]}}]})"});
  EXPECT_EQ(HttpClient(server->port()).get(page + "/return").status, 303);
  EXPECT_EQ(status(id), "PAID");
  const std::string captured = wallet_captured(id);
  wallet_says_paid(id);
  EXPECT_EQ(post_wallet(captured), 200);
  EXPECT_EQ(post("wallet", captured, {{"PAYPAL-TRANSMISSION-ID", "t1"}}), 401);
  EXPECT_EQ(admin->get("/api/admin/payments").size("/items"), 1U);
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").size("/items"), 0U);

  const std::string path = "/api/data/order/" + id + "/refund";
  provider.on("POST", "/v2/payments/captures/CAP1/refund", StandInReply{.status = 422, .body = "{}"});
  EXPECT_EQ(admin->post(path, "{}").code(), "REFUND_REFUSED");
  EXPECT_EQ(status(id), "PAID");
  provider.on("POST", "/v2/payments/captures/CAP1/refund",
              StandInReply{.status = 201, .body = R"({"id":"RF1","status":"COMPLETED"})"});
  const HttpReply part = admin->post(path, R"({"amountCents":900})");
  EXPECT_EQ(part.text("/refunds/0/status"), "DONE");
  EXPECT_EQ(part.text("/refunds/0/providerRefundId"), "RF1");
  EXPECT_NE(provider.requests("/v2/payments/captures/CAP1/refund").back().body.find(R"("value":"9.00")"),
            std::string::npos);
  const auto refunded = [&](const std::string& refund, const std::string& amount) {
    wallet_says_refunded(refund, amount);
    return post_wallet(fmt::format(
        R"({{"id":"WH-{0}","event_type":"PAYMENT.CAPTURE.REFUNDED","resource":{{"id":"{0}","amount":{{"value":"{1}",)"
        R"("currency_code":"USD"}},"links":[{{"rel":"up","href":"https://x/v2/payments/captures/CAP1"}}]}}}})",
        refund, amount));
  };
  EXPECT_EQ(refunded("RF1", "9.00"), 200) << "the report of our own refund";
  EXPECT_EQ(admin->get("/api/data/order/" + id + "/refunds").size("/items"), 2U);
  EXPECT_EQ(refunded("RF2", "40.00"), 200) << "the shop returned the rest at the processor itself";
  EXPECT_EQ(status(id), "REFUNDED");
}

TEST_P(Processors, apppay_is_paid_by_its_completed_payment_and_refunds_wait_for_a_processor_that_is_down) {
  apppay_opens();
  const std::string id = order();
  EXPECT_EQ(pay(id, "APPPAY").header("location"), "https://pay.test/L1");
  const StandInRequest asked = provider.requests("/v2/online-checkout/payment-links")[0];
  EXPECT_NE(asked.body.find(R"("price_money":{"amount":4900,"currency":"USD"},"location_id":"loc")"),
            std::string::npos);
  const auto event = [&](const std::string& event_id, const std::string& state) {
    return post_apppay(fmt::format(
        R"({{"type":"payment.updated","event_id":"{}","data":{{"object":{{"payment":{{"id":"PAY1","order_id":"SO1",)"
        R"("status":"{}","amount_money":{{"amount":4900,"currency":"USD"}}}}}}}}}})",
        event_id, state));
  };
  EXPECT_EQ(event("e1", "APPROVED"), 200);
  EXPECT_EQ(status(id), "PENDING_PAYMENT");
  EXPECT_EQ(event("e2", "COMPLETED"), 200);
  EXPECT_EQ(status(id), "PAID");
  apppay_says_paid();
  provider.on("POST", "/v2/refunds", StandInReply{.status = 503});
  const HttpReply waiting = admin->post("/api/data/order/" + id + "/refund", "{}");
  EXPECT_EQ(waiting.text("/refunds/0/status"), "PENDING");
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(admin->post("/api/data/order/" + id + "/refund", "{}").code(), "NOTHING_TO_REFUND") << "all is reserved";
  EXPECT_EQ(
      post_apppay(
          R"({"type":"refund.updated","event_id":"e3","data":{"object":{"refund":{"id":"R1","status":"COMPLETED",)"
          R"("payment_id":"PAY1","amount_money":{"amount":4900,"currency":"USD"}}}}})"),
      200);
  EXPECT_EQ(status(id), "REFUNDED") << "it had been done after all";
  EXPECT_EQ(admin->get("/api/data/order/" + id + "/refunds").size("/items"), 1U);
}

}  // namespace
}  // namespace guildhall
