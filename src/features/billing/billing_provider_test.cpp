#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/eventually.h"
#include "support/smtp_stand_in.h"
#include "support/stand_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::StandInRequest, test::TestServer;

class BillingProvider : public ::testing::TestWithParam<test::Engine> {
 protected:
  void new_tenant() {
    const HttpReply made =
        admin.post("/api/data/tenant", R"({"tenantId":"shop","name":"The Shop & Co","ownerUserId":"somebody"})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  HttpReply await(const std::string& path, const std::function<bool(const HttpReply&)>& condition) {
    HttpReply read;
    EXPECT_TRUE(test::eventually([&] { return condition(read = admin.get(path)); })) << read.body;
    return read;
  }

  // Of the shop's message of that topic.
  std::string message_id(const std::string& topic) {
    const HttpReply list = server.admin("shop").get("/api/admin/outbox");
    for (std::size_t i = 0; i < list.size("/items"); ++i) {
      if (list.text(fmt::format("/items/{}/topic", i)) == topic) return list.text(fmt::format("/items/{}/id", i));
    }
    return "";
  }
  static bool was_tried(CheckedClient& owner, const std::string& id) {
    const HttpReply list = owner.get("/api/admin/outbox");
    for (std::size_t i = 0; i < list.size("/items"); ++i) {
      if (list.text(fmt::format("/items/{}/id", i)) != id) continue;
      return !list.is_null(fmt::format("/items/{}/lastError", i));
    }
    return false;
  }

  test::StandIn provider;
  test::SmtpStandIn mail;
  TestServer server{GetParam(),
                    {{"BILLING_BASE_URL", provider.url()},
                     {"BILLING_API_KEY", "sk_test_of_the_tests"},
                     {"BILLING_PRICE_ID", "price_1"},
                     {"SMTP_URL", mail.url()},
                     {"OPERATIONS_EMAIL", "ops@example.com"}}};
  CheckedClient admin = server.admin();
};
INSTANTIATE_TEST_SUITE_P(Pairs, BillingProvider, test::engines, test::engine_name);

TEST_P(BillingProvider, gets_a_customer_and_a_subscription_for_a_new_tenant) {
  provider.on("POST", "/v1/customers", test::StandInReply{.body = R"({"id":"cus_1"})"});
  provider.on("POST", "/v1/subscriptions",
              test::StandInReply{.body = R"({"id":"sub_1","created":100,"status":"trialing","items":{"data":[)"
                                         R"({"price":{"id":"price_1"},"current_period_end":1800000000}]}})"});
  new_tenant();
  const HttpReply account = await("/api/admin/billing?customerId=cus_1", [](const HttpReply& read) {
    return !read.is_null("/account") && read.text("/account/status") == "TRIALING";
  });
  EXPECT_EQ(account.text("/account/priceId"), "price_1");
  const StandInRequest customer = provider.requests("/v1/customers").at(0);
  EXPECT_EQ(customer.header("authorization"), "Bearer sk_test_of_the_tests");
  EXPECT_EQ(customer.header("content-type"), "application/x-www-form-urlencoded");
  EXPECT_EQ(customer.form()["name"], "The Shop & Co");
  EXPECT_EQ(customer.form()["metadata[tenantId]"], "shop");
  const StandInRequest subscription = provider.requests("/v1/subscriptions").at(0);
  EXPECT_EQ(subscription.form()["customer"], "cus_1");
  EXPECT_EQ(subscription.form()["items[0][price]"], "price_1");
  EXPECT_NE(subscription.header("idempotency-key"), customer.header("idempotency-key"));
  CheckedClient owner = server.admin("shop");
  EXPECT_EQ(owner.get("/api/admin/billing").text("/account/customerId"), "cus_1");
  EXPECT_EQ(message_id("billing.customer"), customer.header("idempotency-key"));
}

TEST_P(BillingProvider, is_called_again_with_the_same_idempotency_key_when_it_was_too_busy) {
  const auto asked = std::make_shared<std::atomic<int>>(0);  // an answer may outlast the test's body
  provider.on("POST", "/v1/customers", [asked](const StandInRequest&) {
    return ++*asked == 1 ? test::StandInReply{.status = 429, .headers = {{"Retry-After", "0"}}}
                         : test::StandInReply{.body = R"({"id":"cus_1"})"};
  });
  provider.on("POST", "/v1/subscriptions",
              test::StandInReply{.status = 402,
                                 .body = R"({"error":{"type":"card_error","message":"Your card was declined."}})"});
  new_tenant();
  ASSERT_TRUE(provider.wait_for_requests(1));
  CheckedClient owner = server.admin("shop");
  const std::string id = message_id("billing.customer");
  ASSERT_TRUE(test::eventually([&] { return was_tried(owner, id); }));
  owner.post("/api/admin/outbox/" + id + "/retry", "{}");
  ASSERT_TRUE(provider.wait_for_requests(2, "/v1/customers"));
  const auto requests = provider.requests("/v1/customers");
  EXPECT_EQ(requests[0].header("idempotency-key"), requests[1].header("idempotency-key"));
  // A declined card is the tenant's to see.
  const HttpReply account = await("/api/admin/billing?customerId=cus_1", [](const HttpReply& read) {
    return !read.is_null("/account") && !read.is_null("/account/pastDueReason");
  });
  EXPECT_EQ(account.text("/account/pastDueReason"), "Your card was declined.");
  EXPECT_EQ(account.text("/account/status"), "PAST_DUE");
}

TEST_P(BillingProvider, that_refuses_our_key_is_reported_to_the_operator) {
  provider.on("POST", "/v1/customers",
              test::StandInReply{.status = 401, .body = R"({"error":{"message":"Invalid API Key"}})"});
  new_tenant();
  ASSERT_TRUE(mail.wait_for_mails(1));
  EXPECT_NE(mail.mails()[0].text.find("authentication: Invalid API Key"), std::string::npos);
  const HttpReply dead = server.admin("shop").get("/api/admin/outbox?status=DEAD");
  EXPECT_EQ(dead.text("/items/0/topic"), "billing.customer");
  EXPECT_EQ(dead.text("/items/0/lastError"), "authentication: Invalid API Key");
}

}  // namespace
}  // namespace guildhall
