#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sandbox/billing.h"
#include "support/eventually.h"
#include "support/smtp_stand_in.h"
#include "support/test_sandbox.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::header_of, test::HttpReply, test::TestServer;

class BillingProvider : public ::testing::TestWithParam<test::Engine> {
 protected:
  void new_tenant() {
    const HttpReply made = server.admin().post(
        "/api/data/tenant", R"({"tenantId":"shop","name":"The Shop & Co","ownerUserId":"somebody"})");
    ASSERT_EQ(made.status, 201) << made.body;
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

  std::map<std::string, std::string> environment() const {
    auto variables = sandbox.environment("BILLING_");
    variables.insert({{"SMTP_URL", mail.url()}, {"OPERATIONS_EMAIL", "ops@example.com"}});
    return variables;
  }

  // The shop's account, once it fulfils the condition.
  HttpReply await_account(const std::function<bool(const HttpReply&)>& condition) {
    CheckedClient owner = server.admin("shop");
    HttpReply read;
    EXPECT_TRUE(test::eventually([&] {
      read = owner.get("/api/admin/billing");
      return !read.is_null("/account") && condition(read);
    })) << read.body;
    return read;
  }

  test::TestSandbox sandbox;
  test::SmtpStandIn mail;
  TestServer server{GetParam(), environment()};
};
INSTANTIATE_TEST_SUITE_P(Pairs, BillingProvider, test::engines, test::engine_name);

TEST_P(BillingProvider, gets_a_customer_and_a_subscription_for_a_new_tenant) {
  new_tenant();
  const HttpReply account =
      await_account([](const HttpReply& read) { return read.text("/account/status") == "ACTIVE"; });
  EXPECT_EQ(account.text("/account/priceId"), sandbox::billing_price);
  const sandbox::Call customer = sandbox.calls("billing", "/v1/customers").at(0);
  EXPECT_EQ(header_of(customer, "Content-Type"), "application/x-www-form-urlencoded");
  auto form = sandbox::fields_in(customer.request_body);
  EXPECT_EQ(form["name"], "The Shop & Co");
  EXPECT_EQ(form["metadata[tenantId]"], "shop");
  const sandbox::Call subscription = sandbox.calls("billing", "/v1/subscriptions").at(0);
  EXPECT_EQ(sandbox::fields_in(subscription.request_body)["customer"], account.text("/account/customerId"));
  EXPECT_NE(header_of(subscription, "Idempotency-Key"), header_of(customer, "Idempotency-Key"));
  EXPECT_EQ(message_id("billing.customer"), header_of(customer, "Idempotency-Key"));
}

TEST_P(BillingProvider, is_called_again_with_the_same_idempotency_key_when_it_was_too_busy) {
  sandbox.fail("billing", sandbox::Fault{.kind = sandbox::FaultKind::rateLimited, .retry_after_seconds = 0});
  new_tenant();
  CheckedClient owner = server.admin("shop");
  const std::string id = message_id("billing.customer");
  ASSERT_TRUE(test::eventually([&] { return was_tried(owner, id); }));
  sandbox.answer("billing", "/v1/subscriptions", 402,
                 R"({"error":{"type":"card_error","message":"Your card was declined."}})");
  owner.post("/api/admin/outbox/" + id + "/retry", "{}");
  ASSERT_TRUE(test::eventually([&] { return sandbox.calls("billing", "/v1/customers").size() >= 2; }));
  const auto calls = sandbox.calls("billing", "/v1/customers");
  EXPECT_EQ(header_of(calls.front(), "Idempotency-Key"), header_of(calls.back(), "Idempotency-Key"));
  // A declined card is the tenant's to see.
  const HttpReply account =
      await_account([](const HttpReply& read) { return !read.is_null("/account/pastDueReason"); });
  EXPECT_EQ(account.text("/account/pastDueReason"), "Your card was declined.");
  EXPECT_EQ(account.text("/account/status"), "PAST_DUE");
}

TEST_P(BillingProvider, that_refuses_our_key_is_reported_to_the_operator) {
  server.config.billing_api_key = "sk_of_another_installation";
  server.restart();
  new_tenant();
  ASSERT_TRUE(mail.wait_for_mails(1));
  EXPECT_NE(mail.mails()[0].text.find("authentication: Invalid API Key provided"), std::string::npos);
  const HttpReply dead = server.admin("shop").get("/api/admin/outbox?status=DEAD");
  EXPECT_EQ(dead.text("/items/0/topic"), "billing.customer");
  EXPECT_EQ(dead.text("/items/0/lastError"), "authentication: Invalid API Key provided");
}

}  // namespace
}  // namespace guildhall
