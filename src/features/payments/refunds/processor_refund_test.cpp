// Money that goes back through a processor: when the community fund has given it away, when the processor takes it by
// itself, and when it says yes first and no later.
#include <future>

#include "support/eventually.h"
#include "support/processor_shop.h"

namespace guildhall {
namespace {

using test::HttpReply;

const std::string fund = "/api/admin/community-fund";
const std::string captures = "/v2/payments/captures/*/refund";

class ProcessorRefunds : public test::ProcessorShop {
 protected:
  ProcessorRefunds() {
    EXPECT_EQ(admin->put(fund + "/config", R"({"enabled":true})").status, 200);
    customer =
        admin->post("/api/data/customer", R"({"chatId":"1","chatUsername":"u","chatDisplayName":"d"})").text("/id");
  }

  // An order that was paid with this method. Its payment is `payment`.
  std::string paid_order(const std::string& product = "p", const std::string& method = "WALLET") {
    const std::string id = order(product);
    payment = open(id, method);
    act(payment, "pay");
    EXPECT_EQ(status(id), "PAID");
    sandbox.take_webhooks();
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

  std::string payment;
  std::string customer;
};
INSTANTIATE_TEST_SUITE_P(Pairs, ProcessorRefunds, test::engines, test::engine_name);

TEST_P(ProcessorRefunds, are_not_even_asked_for_when_the_fund_has_given_the_money_away) {
  const std::string id = paid_order("community-fund");
  EXPECT_EQ(spend(1), 201);
  const HttpReply refused = refund(id);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.code(), "INSUFFICIENT_BALANCE");
  EXPECT_TRUE(sandbox.calls("wallet", captures).empty());
  EXPECT_EQ(refunds(id).size("/items"), 0U);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(balance(), 4899);
  EXPECT_EQ(
      admin->post(fund + "/contributions", fmt::format(R"({{"customerId":"{}","amountCents":1}})", customer)).status,
      201);
  EXPECT_EQ(refund(id).text("/orderStatus"), "REFUNDED");
  EXPECT_EQ(balance(), 0);
}

TEST_P(ProcessorRefunds, stand_although_the_fund_gives_the_money_away_while_the_processor_returns_it) {
  const std::string id = paid_order("community-fund");
  sandbox.fail("wallet", sandbox::FaultKind::held, captures);
  auto refunding = std::async(std::launch::async, [&] { return refund(id); });
  EXPECT_TRUE(test::eventually([&] { return sandbox.payment(payment).refunds.size() == 1; }));
  EXPECT_EQ(spend(4000), 201);
  sandbox.recover("wallet");
  const HttpReply done = refunding.get();
  EXPECT_EQ(done.status, 201) << done.body;
  EXPECT_EQ(done.text("/orderStatus"), "REFUNDED");
  EXPECT_EQ(balance(), 0);
  EXPECT_EQ(attention(), "FUND_SHORT");
}

TEST_P(ProcessorRefunds, by_the_processors_own_doing_take_what_the_fund_holds_and_flag_the_rest) {
  const std::string id = paid_order("community-fund");
  EXPECT_EQ(spend(4000), 201);
  const auto reversed = sandbox.act(payment, "dispute");
  EXPECT_EQ(send(reversed.back()), 200);
  EXPECT_EQ(send(reversed.back()), 200);
  EXPECT_EQ(status(id), "REFUNDED");
  EXPECT_EQ(balance(), 0);
  EXPECT_EQ(admin->get(fund + "/contributions").integer("/items/0/amountCents"), -900);
  EXPECT_EQ(attention(), "FUND_SHORT");
  EXPECT_EQ(admin->get("/api/data/webhook-event").text("/items/0/status"), "PROCESSED");
}

TEST_P(ProcessorRefunds, that_the_wallet_takes_back_after_it_had_made_them_can_be_made_again) {
  const std::string id = paid_order();
  EXPECT_EQ(refund(id).text("/orderStatus"), "REFUNDED");
  act(payment, "failRefund");
  EXPECT_EQ(attention(), "REFUND_FAILED");
  EXPECT_EQ(refunds(id).text("/items/0/status"), "FAILED");
  EXPECT_EQ(refund(id).text("/refunds/0/status"), "DONE");
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").size("/items"), 0U);
  const HttpReply timeline = admin->get("/api/data/order/" + id + "/timeline");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < timeline.size("/items"); ++i) {
    const std::string entry = fmt::format("/items/{}", i);
    if (timeline.text(entry + "/kind") == "REFUND") texts.push_back(timeline.text(entry + "/text"));
  }
  const std::string requested = "A refund of $49.00 was requested from the payment processor.";
  const std::string done = "The payment processor has refunded $49.00.";
  EXPECT_EQ(texts, (std::vector<std::string>{requested, done,
                                             "The refund of $49.00 failed: the processor could not return the money.",
                                             requested, done}));
}

TEST_P(ProcessorRefunds, that_are_promised_are_followed_to_their_end) {
  const std::string id = paid_order("p", "APPPAY");
  sandbox.run([](sandbox::World& world) { world.refunds_wait = true; });
  const HttpReply promised = refund(id);
  EXPECT_EQ(promised.text("/refunds/0/status"), "PENDING");
  EXPECT_EQ(promised.text("/refunds/0/providerRefundId"), sandbox.payment(payment).refunds.back().id);
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(refund(id).code(), "NOTHING_TO_REFUND") << "all is reserved";
  act(payment, "failRefund");
  EXPECT_EQ(refunds(id).text("/items/0/status"), "FAILED");
  EXPECT_EQ(attention(), "REFUND_FAILED");
  EXPECT_EQ(refund(id).text("/refunds/0/status"), "PENDING") << "the amount can be refunded again";
  act(payment, "completeRefund");
  EXPECT_EQ(status(id), "REFUNDED");
  EXPECT_EQ(admin->get("/api/admin/payments?attention=true").size("/items"), 0U);
}

TEST_P(ProcessorRefunds, are_what_a_lost_dispute_comes_to) {
  const std::string id = paid_order("p", "APPPAY");
  const auto events = sandbox.act(payment, "dispute");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(send(events[0]), 200) << "evidence is required";
  EXPECT_EQ(status(id), "PAID");
  EXPECT_EQ(send(events[1]), 200) << "the shop has lost";
  EXPECT_EQ(status(id), "REFUNDED");
}

TEST_P(ProcessorRefunds, that_are_promised_are_asked_about_when_no_webhook_comes) {
  const std::string id = paid_order();
  sandbox.run([](sandbox::World& world) { world.refunds_wait = true; });
  EXPECT_EQ(refund(id).text("/refunds/0/status"), "PENDING");
  sandbox.act(payment, "completeRefund");
  server->write([](Tx& tx) {
    static const Sql hurry("UPDATE outbox_messages SET due_at = 0 WHERE topic = 'payment.refund'");
    tx.run({&hurry, {}});
  });
  EXPECT_TRUE(test::eventually([&] { return status(id) == "REFUNDED"; })) << status(id);
  EXPECT_EQ(sandbox.calls("wallet", captures).size(), 1U) << "asked for once";
}

TEST_P(ProcessorRefunds, and_payments_of_the_wallet_are_in_whole_units_where_it_knows_no_others) {
  const std::string creations = "/v2/checkout/orders";
  for (const char* currency : {"HUF", "TWD"}) {
    EXPECT_EQ(pay(order("p", 4900, currency), "WALLET").status, 303);
    EXPECT_NE(sandbox.calls("wallet", creations)
                  .back()
                  .request_body.find(fmt::format(R"("amount":{{"currency_code":"{}","value":"49"}})", currency)),
              std::string::npos);
  }
  EXPECT_EQ(pay(order("p", 4900, "JPY"), "WALLET").status, 303);
  EXPECT_NE(sandbox.calls("wallet", creations).back().request_body.find(R"("value":"4900")"), std::string::npos);
  const std::size_t before = sandbox.calls("wallet", creations).size();
  EXPECT_EQ(pay(order("p", 4950, "HUF"), "WALLET").status, 503);
  EXPECT_EQ(sandbox.calls("wallet", creations).size(), before) << "it would only be refused";
  EXPECT_EQ(admin->get("/api/admin/payments").text("/items/0/status"), "FAILED");
}

}  // namespace
}  // namespace guildhall
