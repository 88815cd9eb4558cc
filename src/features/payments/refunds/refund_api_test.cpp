#include <gtest/gtest.h>
#include <thread>

#include "support/emitted_events.h"
#include "support/paying_shop.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply;

class Refunds : public test::PayingShop {};
INSTANTIATE_TEST_SUITE_P(Pairs, Refunds, test::engines, test::engine_name);

TEST_P(Refunds, never_exceed_what_was_paid) {
  test::listen_to_events(server);
  const std::string id = order(), path = "/api/data/order/" + id + "/refund";
  EXPECT_EQ(admin.post(path, "{}").code(), "NOTHING_TO_REFUND");
  const std::string invoice = open(id);
  sandbox.act(invoice, "pay");
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
  const auto events = test::emitted_events(server);
  EXPECT_EQ(std::ranges::count(events, "refund.created"), 4);
  EXPECT_EQ(std::ranges::count(events, "refund.completed"), 4);
  EXPECT_EQ(std::ranges::count(events, "order.refunded"), 1) << "once everything is";
}

TEST_P(Refunds, go_back_from_an_order_that_was_paid_by_hand) {
  const std::string id = order(R"(,"status":"SHIPPED")"), path = "/api/data/order/" + id + "/refund";
  const HttpReply first = admin.post(path, "{}", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(first.text("/orderStatus"), "REFUNDED");
  const HttpReply again = admin.post(path, "{}", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("idempotent-replayed"), "true");
}

TEST_P(Refunds, of_an_overpayments_rest_remove_its_flag_and_leave_the_order_paid) {
  const std::string id = order(), path = "/api/data/order/" + id + "/refund", invoice = open(id);
  sandbox.act(invoice, "overpay", 5000);
  webhook(invoice);
  const std::string flagged = "/api/admin/payments?attention=true", payment = admin.get(flagged).text("/items/0/id");
  const auto refund = [&](int cents, const std::string& of) {
    return admin.post(path, fmt::format(R"({{"amountCents":{},"paymentId":"{}"}})", cents, of));
  };
  EXPECT_EQ(refund(100, "another").code(), "NOTHING_TO_REFUND");
  EXPECT_EQ(refund(60, payment).text("/orderStatus"), "PAID");
  EXPECT_EQ(admin.get(flagged).size("/items"), 1U) << "0.40 are still too much";
  EXPECT_EQ(refund(40, payment).text("/orderStatus"), "PAID");
  EXPECT_EQ(admin.get(flagged).size("/items"), 0U);
  EXPECT_EQ(admin.get("/api/admin/payments").integer("/items/0/refundedCents"), 100);
  EXPECT_EQ(admin.post(path, "{}").integer("/amountCents"), 4900) << "the price can still be returned";
}

TEST_P(Refunds, are_an_admins_to_make) {
  const std::string path = "/api/data/order/" + order(R"(,"status":"PAID")") + "/refund";
  EXPECT_EQ(server.member("default", "TenantStaff").post(path, "{}").status, 403);
  EXPECT_EQ(server.member("default", "TenantStaff").get(path + "s").status, 200);
  EXPECT_EQ(server.member("default", "admin.access").post(path, "{}").status, 201);
}

}  // namespace
}  // namespace guildhall
