// The chat alone asks the service where to send coins; the invoice page does not.
#include "features/payments/payment_service.h"

#include <gtest/gtest.h>

#include "features/orders/order_store.h"
#include "support/run_task.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

class Deposits : public ::testing::TestWithParam<test::Engine> {
 protected:
  Order order() {
    const std::string id =
        server.admin()
            .post("/api/data/order", R"({"orderNumber":"D-1","customer":{"name":"Ada"},"items":[{"productId":"p",)"
                                     R"("name":"n","sku":"s","quantity":1,"unitPriceCents":4900}]})")
            .text("/id");
    std::optional<Order> found;
    server.write([&](Tx& tx) { found = tx.one(order_by_id(tenant, OrderId(id))); });
    return found.value();
  }

  Checkout open(const Order& order) {
    return loop.run([&] { return service.open(*db, actor, order, PaymentMethod("BTC_GATEWAY"), "https://shop.test"); })
        .value();
  }

  std::optional<Deposit> deposit(const Checkout& checkout) {
    return loop.run([&] { return service.deposit(*db, tenant, PaymentMethod("BTC_GATEWAY"), checkout); });
  }

  const Actor actor{ActorKind::SYSTEM, "test", ""};
  const TenantId tenant{std::string("default")};
  // The gateway offers these ways to pay.
  void offer(const std::string& methods) {
    sandbox.answer("gateway", "/api/v1/stores/*/invoices/*/payment-methods", 200, methods);
  }

  test::TestSandbox sandbox;
  test::TestServer server{GetParam(), sandbox.environment("CRYPTO_GATEWAY_")};
  Events events;
  WorkerPool outbound{1, 10}, certificate_fetches{1, 10};
  PaymentService service{server.config, server.config, nullptr, events, outbound, certificate_fetches};
  test::LoopThread loop;
  std::unique_ptr<Database> db = server.storage().open(loop.context());
};
INSTANTIATE_TEST_SUITE_P(Pairs, Deposits, test::engines, test::engine_name);

TEST_P(Deposits, are_on_the_chain_where_the_gateway_offers_that_and_stay_the_same_when_opened_again) {
  const Order owed = order();
  const Checkout checkout = open(owed);
  const std::string invoice = sandbox.last_payment("gateway");
  EXPECT_EQ(checkout.url, sandbox.checkout_url(invoice));
  EXPECT_EQ(checkout.expires_at, Instant{sandbox.payment(invoice).expires_at->ms / 1000 * 1000});
  offer(R"([{"paymentMethodId":"BTC-LN","destination":"lnbc1","due":"0.00074"},)"
        R"({"paymentMethodId":"BTC-CHAIN","destination":"bc1q","due":"0.00075000"}])");
  const auto first = deposit(checkout);
  EXPECT_EQ(first->address, "bc1q");
  EXPECT_EQ(first->amount, "0.00075000");
  const Checkout again = open(owed);
  EXPECT_EQ(again.payment_id, checkout.payment_id);
  EXPECT_EQ(again.expires_at, checkout.expires_at);
  EXPECT_EQ(deposit(again)->address, "bc1q");
  EXPECT_EQ(sandbox.payments("gateway"), 1);
}

TEST_P(Deposits, fall_back_to_lightning_and_are_absent_without_bitcoin) {
  const Checkout checkout = open(order());
  const std::string invoice = sandbox.last_payment("gateway");
  EXPECT_EQ(deposit(checkout)->address, sandbox.payment(invoice).address);
  offer("[]");
  EXPECT_FALSE(deposit(checkout)) << "no method at all";
  offer(R"([{"paymentMethodId":"LTC-CHAIN","destination":"ltc1","due":"1"}])");
  EXPECT_FALSE(deposit(checkout));
  offer(R"([{"paymentMethodId":"BTC-LN","destination":"lnbc1","due":"0.1"}])");
  EXPECT_EQ(deposit(checkout)->address, "lnbc1");
  offer(R"({"not":"a list"})");
  EXPECT_THROW(deposit(checkout), ProcessorFailure);
}

}  // namespace
}  // namespace guildhall
