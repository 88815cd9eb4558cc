// Money that goes back through a processor: when the community fund has given it away, when the processor takes it by
// itself, and when it says yes first and no later.
#include "support/eventually.h"
#include "support/processor_shop.h"

namespace guildhall {
namespace {

using test::HttpReply, test::StandInReply, test::StandInRequest;

const std::string fund = "/api/admin/community-fund";
const std::string captures = "/v2/payments/captures/CAP1/refund";

class ProcessorRefunds : public test::ProcessorShop {
 protected:
  ProcessorRefunds() {
    EXPECT_EQ(admin->put(fund + "/config", R"({"enabled":true})").status, 200);
    customer =
        admin->post("/api/data/customer", R"({"chatId":"1","chatUsername":"u","chatDisplayName":"d"})").text("/id");
  }

  // An order that the wallet has been paid for, by its capture CAP1.
  std::string paid_order(const std::string& product = "p") {
    const std::string id = order(product);
    wallet_says_paid(id);
    EXPECT_EQ(post_wallet(wallet_captured(id)), 200);
    EXPECT_EQ(status(id), "PAID");
    return id;
  }

  // The same with the app, by its payment PAY1.
  std::string apppay_order() {
    const std::string id = order();
    apppay_opens();
    EXPECT_EQ(pay(id, "APPPAY").status, 303);
    apppay_says_paid();
    EXPECT_EQ(post_apppay(apppay_completed("PAY1", "SO1")), 200);
    return id;
  }

  HttpReply refund(const std::string& id) { return admin->post("/api/data/order/" + id + "/refund", "{}"); }

  HttpReply refunds(const std::string& id) { return admin->get("/api/data/order/" + id + "/refunds"); }

  std::string attention() { return admin->get("/api/admin/payments?attention=true").text("/items/0/attention"); }

  int spend(std::int64_t cents) {
    return test::CheckedClient(*admin)  // on a connection of its own: the processor may be the one to call
        .post(fund + "/disbursements",
              fmt::format(R"({{"recipientCustomerId":"{}","amountCents":{},"reason":"help"}})", customer, cents))
        .status;
  }

  std::int64_t balance() { return admin->get(fund + "/balance").integer("/currentBalanceCents"); }

  // What the wallet says of a refund of CAP1.
  int wallet_says(const std::string& type, const std::string& refund) {
    return post_wallet(fmt::format(
        R"({{"id":"WH-{0}-{1}","event_type":"{0}","resource":{{"id":"{1}","amount":{{"value":"49.00",)"
        R"("currency_code":"USD"}},"links":[{{"rel":"up","href":"https://x/v2/payments/captures/CAP1"}}]}}}})",
        type, refund));
  }

  std::string customer;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ProcessorRefunds, test::engines, test::engine_name);

TEST_P(ProcessorRefunds, are_not_even_asked_for_when_the_fund_has_given_the_money_away) {
  const std::string id = paid_order("community-fund");
  EXPECT_EQ(spend(1), 201);
  const HttpReply refused = refund(id);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "INSUFFICIENT_BALANCE");
  EXPECT_TRUE(provider.requests(captures).empty());
  EXPECT_EQ(refunds(id).size("/items"), 0U);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(balance(), 4899);
  EXPECT_EQ(
      admin->post(fund + "/contributions", fmt::format(R"({{"customerId":"{}","amountCents":1}})", customer)).status,
      201);
  provider.on("POST", captures, StandInReply{.status = 201, .body = R"({"id":"RF1","status":"COMPLETED"})"});
  EXPECT_EQ(refund(id).text("/orderStatus"), "REFUNDED");
  EXPECT_EQ(balance(), 0);
}

TEST_P(ProcessorRefunds, stand_although_the_fund_gives_the_money_away_while_the_processor_returns_it) {
  const std::string id = paid_order("community-fund");
  provider.on("POST", captures, [&](const StandInRequest&) {
    EXPECT_EQ(spend(4000), 201);
    return StandInReply{.status = 201, .body = R"({"id":"RF1","status":"COMPLETED"})"};
  });
  const HttpReply done = refund(id);
  EXPECT_EQ(done.status, 201) << done.body;
  EXPECT_EQ(done.text("/orderStatus"), "REFUNDED");
  EXPECT_EQ(balance(), 0);
  EXPECT_EQ(attention(), "FUND_SHORT");
}

TEST_P(ProcessorRefunds, by_the_processors_own_doing_take_what_the_fund_holds_and_flag_the_rest) {
  const std::string id = paid_order("community-fund");
  EXPECT_EQ(spend(4000), 201);
  provider.on("GET", "/v2/payments/captures/CAP1",
              StandInReply{.body = R"({"id":"CAP1","status":"REFUNDED",)"
                                   R"("amount":{"value":"49.00","currency_code":"USD"}})"});
  EXPECT_EQ(wallet_says("PAYMENT.CAPTURE.REVERSED", "CB1"), 200);
  EXPECT_EQ(wallet_says("PAYMENT.CAPTURE.REVERSED", "CB1"), 200);
  EXPECT_EQ(status(id), "REFUNDED");
  EXPECT_EQ(balance(), 0);
  EXPECT_EQ(admin->get(fund + "/contributions").integer("/items/0/amountCents"), -900);
  EXPECT_EQ(attention(), "FUND_SHORT");
  EXPECT_EQ(admin->get("/api/data/webhook-event").text("/items/0/status"), "PROCESSED");
}

TEST_P(ProcessorRefunds, that_the_wallet_takes_back_after_it_had_made_them_can_be_made_again) {
  const std::string id = paid_order();
  provider.on("POST", captures, StandInReply{.status = 201, .body = R"({"id":"RF1","status":"COMPLETED"})"});
  EXPECT_EQ(refund(id).text("/orderStatus"), "REFUNDED");
  wallet_says_refunded("RF1", "49.00", "FAILED");
  EXPECT_EQ(wallet_says("PAYMENT.REFUND.FAILED", "RF1"), 200);
  EXPECT_EQ(attention(), "REFUND_FAILED");
  EXPECT_EQ(refunds(id).text("/items/0/status"), "FAILED");
  provider.on("POST", captures, StandInReply{.status = 201, .body = R"({"id":"RF2","status":"COMPLETED"})"});
  EXPECT_EQ(refund(id).text("/refunds/0/status"), "DONE");
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").size("/items"), 0U);
  const HttpReply timeline = admin->get("/api/data/order/" + id + "/timeline");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < timeline.size("/items"); ++i) {
    const std::string entry = fmt::format("/items/{}", i);
    if (timeline.text(entry + "/kind") == "REFUND") texts.push_back(timeline.text(entry + "/text"));
  }
  const std::string requested = "A refund of 49.00 USD was requested from the payment processor.";
  const std::string done = "The payment processor has refunded 49.00 USD.";
  EXPECT_EQ(texts, (std::vector<std::string>{
                       requested, done, "The refund of 49.00 USD failed: the processor could not return the money.",
                       requested, done}));
}

TEST_P(ProcessorRefunds, that_are_promised_are_followed_to_their_end) {
  const std::string id = apppay_order();
  const auto refund_event = [&](const std::string& event, const std::string& refund, const std::string& state) {
    return post_apppay(fmt::format(
        R"({{"type":"refund.updated","event_id":"{}","data":{{"object":{{"refund":{{"id":"{}","status":"{}",)"
        R"("payment_id":"PAY1","amount_money":{{"amount":4900,"currency":"USD"}}}}}}}}}})",
        event, refund, state));
  };
  provider.on("POST", "/v2/refunds", StandInReply{.body = R"({"refund":{"id":"R1","status":"PENDING"}})"});
  const HttpReply promised = refund(id);
  EXPECT_EQ(promised.text("/refunds/0/status"), "PENDING");
  EXPECT_EQ(promised.text("/refunds/0/providerRefundId"), "R1");
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(refund(id).code(), "NOTHING_TO_REFUND") << "all is reserved";
  EXPECT_EQ(refund_event("e1", "R1", "FAILED"), 200);
  EXPECT_EQ(refunds(id).text("/items/0/status"), "FAILED");
  EXPECT_EQ(attention(), "REFUND_FAILED");
  provider.on("POST", "/v2/refunds", StandInReply{.body = R"({"refund":{"id":"R2","status":"PENDING"}})"});
  EXPECT_EQ(refund(id).text("/refunds/0/status"), "PENDING") << "the amount can be refunded again";
  EXPECT_EQ(refund_event("e2", "R2", "COMPLETED"), 200);
  EXPECT_EQ(status(id), "REFUNDED");
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").size("/items"), 0U);
}

TEST_P(ProcessorRefunds, are_what_a_lost_dispute_comes_to) {
  const std::string id = apppay_order();
  const auto dispute = [&](const std::string& state) {
    return post_apppay(fmt::format(
        R"({{"type":"dispute.state.updated","event_id":"{0}","data":{{"object":{{"dispute":{{"id":"D1","state":"{0}",)"
        R"("disputed_payment":{{"payment_id":"PAY1"}},"amount_money":{{"amount":4900,"currency":"USD"}}}}}}}}}})",
        state));
  };
  EXPECT_EQ(dispute("EVIDENCE_REQUIRED"), 200);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(dispute("LOST"), 200);
  EXPECT_EQ(status(id), "REFUNDED");
}

TEST_P(ProcessorRefunds, that_are_promised_are_asked_about_when_no_webhook_comes) {
  const std::string id = paid_order();
  provider.on("POST", captures, StandInReply{.status = 201, .body = R"({"id":"RF1","status":"PENDING"})"});
  EXPECT_EQ(refund(id).text("/refunds/0/status"), "PENDING");
  provider.on("GET", "/v2/payments/refunds/RF1", StandInReply{.body = R"({"id":"RF1","status":"COMPLETED"})"});
  server->write([](Tx& tx) {
    static const Sql hurry("UPDATE outbox_messages SET due_at = 0 WHERE topic = 'payment.refund'");
    tx.run({&hurry, {}});
  });
  EXPECT_TRUE(test::eventually([&] { return status(id) == "REFUNDED"; })) << status(id);
  EXPECT_EQ(provider.requests(captures).size(), 1U) << "asked for once";
}

TEST_P(ProcessorRefunds, and_payments_of_the_wallet_are_in_whole_units_where_it_knows_no_others) {
  provider.on(
      "POST", "/v2/checkout/orders",
      StandInReply{.status = 201, .body = R"({"id":"PP1","links":[{"rel":"approve","href":"https://pay.test"}]})"});
  for (const char* currency : {"HUF", "TWD"}) {
    EXPECT_EQ(pay(order("p", 4900, currency), "WALLET").status, 303);
    EXPECT_NE(provider.requests("/v2/checkout/orders")
                  .back()
                  .body.find(fmt::format(R"("amount":{{"currency_code":"{}","value":"49"}})", currency)),
              std::string::npos);
  }
  EXPECT_EQ(pay(order("p", 4900, "JPY"), "WALLET").status, 303);
  EXPECT_NE(provider.requests("/v2/checkout/orders").back().body.find(R"("value":"4900")"), std::string::npos);
  const std::size_t before = provider.requests("/v2/checkout/orders").size();
  EXPECT_EQ(pay(order("p", 4950, "HUF"), "WALLET").status, 503);
  EXPECT_EQ(provider.requests("/v2/checkout/orders").size(), before) << "it would only be refused";
  EXPECT_EQ(admin->get("/api/admin/payments").text("/items/0/status"), "FAILED");
}

}  // namespace
}  // namespace guildhall
