#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "features/billing/account.h"
#include "features/billing/billing_event.h"
#include "features/webhooks/signatures.h"
#include "support/eventually.h"
#include "support/smtp_stand_in.h"
#include "support/test_server.h"

namespace guildhall {
namespace {

using test::CheckedClient, test::HttpReply, test::TestServer;

const std::string secret = "whsec_current", old_secret = "whsec_old", path = "/api/billing-provider/webhook";

std::string event(const std::string& id, const std::string& type, std::int64_t created, const std::string& object) {
  return fmt::format(R"({{"id":"{}","object":"event","type":"{}","created":{},"data":{{"object":{}}}}})", id, type,
                     created, object);
}

std::string invoice(const std::string& id, const std::string& customer, const std::string& rest = "") {
  return fmt::format(R"({{"id":"{}","object":"invoice","customer":"{}"{}}})", id, customer, rest);
}

std::string subscription(const std::string& id, const std::string& customer, const std::string& status,
                         const std::string& rest = "") {
  return fmt::format(R"({{"id":"{0}","customer":"{1}","status":"{2}","items":{{"data":[{{"price":{{"id":"price_{0}"}},)"
                     R"("current_period_end":1800000000}}]}}{3}}})",
                     id, customer, status, rest);
}

HttpReply post(test::HttpClient& client, const std::string& body, const std::string& signature) {
  return client.send("POST", path, body, {{"Content-Type", "application/json"}, {"Billing-Signature", signature}});
}
HttpReply post(test::HttpClient& client, const std::string& body) {
  return post(client, body, billing_signature(body, secret, now()));
}

class BillingWebhook : public ::testing::TestWithParam<test::Engine> {
 protected:
  test::SmtpStandIn mail;
  TestServer server{GetParam(),
                    {{"BILLING_WEBHOOK_SECRET", secret + "," + old_secret},
                     {"SMTP_URL", mail.url()},
                     {"SMTP_FROM", "hall@example.com"},
                     {"OPERATIONS_EMAIL", "ops@example.com"}}};
  CheckedClient admin = server.admin();
  CheckedClient provider = server.client();

  HttpReply account(const std::string& customer) { return admin.get("/api/admin/billing?customerId=" + customer); }
};
INSTANTIATE_TEST_SUITE_P(Pairs, BillingWebhook, test::engines, test::engine_name);

TEST_P(BillingWebhook, accepts_only_raw_bytes_with_a_recent_signature) {
  const std::string body = event("evt_1", "customer.created", 1, "{}");
  const Instant at = now();
  const std::string good = billing_signature(body, secret, at);
  const std::string time = good.substr(0, good.find(',')), v1 = good.substr(good.find(',') + 1);
  std::string upper = v1, tampered = body;
  std::transform(upper.begin() + 3, upper.end(), upper.begin() + 3, ::toupper);
  tampered[10] ^= 1;
  struct Case {
    std::string name, body, signature;
    int status;
  };
  const Case table[] = {
      {"valid", body, good, 200},
      {"rotated", body, billing_signature(body, old_secret, at), 200},
      {"v1 before t", body, v1 + "," + time, 200},
      {"trailing comma", body, good + ",", 200},
      {"several, one good", body, time + ",v1=00," + v1, 200},
      {"other schemes besides", body, good + ",v0=00", 200},
      {"wrong secret", body, billing_signature(body, "another", at), 401},
      {"empty", body, "", 401},
      {"only v0", body, time + ",v0=" + v1.substr(3), 401},
      {"no time", body, v1, 401},
      {"upper case", body, time + "," + upper, 401},
      {"space after the comma", body, time + ", " + v1, 401},
      {"stale", body, billing_signature(body, secret, at - std::chrono::seconds(310)), 401},
      {"future", body, billing_signature(body, secret, at + std::chrono::seconds(310)), 401},
      {"within tolerance", body, billing_signature(body, secret, at - std::chrono::seconds(250)), 200},
      {"another time", body, fmt::format("t={},{}", at.ms / 1000 - 5, v1), 401},
      {"tampered byte", tampered, good, 401},
      {"re-serialised", body + "\n", good, 401},
      {"not JSON", "hello", billing_signature("hello", secret, at), 400},
      {"a list", "[1]", billing_signature("[1]", secret, at), 400},
      {"nothing", "", billing_signature("", secret, at), 401}};
  for (const Case& line : table) {
    EXPECT_EQ(post(provider, line.body, line.signature).status, line.status) << line.name;
  }
  EXPECT_EQ(provider.send("POST", path, body, {}).code(), "INVALID_SIGNATURE") << "missing";
}

TEST_P(BillingWebhook, stores_accounts_and_invoices_and_shows_a_tenant_its_own) {
  EXPECT_EQ(admin.get("/api/admin/billing").body, R"({"account":null,"invoices":[]})");
  const std::string owned = R"(,"metadata":{"tenantId":"default"})";
  post(provider, event("e1", "customer.subscription.updated", 100, subscription("sub", "cus", "active", owned)));
  post(provider, event("e2", "invoice.paid", 110, invoice("in_1", "cus", R"(,"payment_intent":"pi_1")")));
  post(provider, event("e3", "invoice.payment_failed", 120, invoice("in_2", "cus")));
  const HttpReply shown = admin.get("/api/admin/billing");
  EXPECT_EQ(shown.text("/account/customerId"), "cus");
  EXPECT_EQ(shown.text("/account/subscriptionId"), "sub");
  EXPECT_EQ(shown.text("/account/priceId"), "price_sub");
  EXPECT_EQ(shown.text("/account/status"), "PAST_DUE");
  EXPECT_EQ(shown.text("/account/pastDueReason"), "The payment failed.");
  EXPECT_EQ(shown.text("/account/currentPeriodEnd"), "2027-01-15T08:00:00.000Z");
  ASSERT_EQ(shown.size("/invoices"), 2u);
  EXPECT_EQ(shown.text("/invoices/0/status"), "FAILED");
  EXPECT_EQ(shown.text("/invoices/1/status"), "PAID");
  EXPECT_EQ(shown.text("/invoices/1/paymentIntentId"), "pi_1");
  EXPECT_EQ(shown.text("/invoices/1/paidAt"), "1970-01-01T00:01:50.000Z");

  post(provider, event("e4", "customer.subscription.deleted", 130, subscription("sub", "cus", "canceled")));
  post(provider, event("e5", "customer.subscription.updated", 140, subscription("sub", "cus", "active")));
  EXPECT_EQ(admin.get("/api/admin/billing").text("/account/status"), "CANCELLED");

  server.add_tenant("other");
  CheckedClient stranger = server.member("other", "TenantAdmin");
  EXPECT_TRUE(stranger.get("/api/admin/billing").is_null("/account"));
  EXPECT_EQ(stranger.get("/api/admin/billing?customerId=cus").status, 403);
}

TEST_P(BillingWebhook, changes_nothing_for_a_status_that_is_not_known) {
  const std::string owned = R"(,"metadata":{"tenantId":"default"})";
  const auto updated = [&](const std::string& id, std::int64_t at, const std::string& sub, const std::string& status) {
    return post(provider, event(id, "customer.subscription.updated", at, subscription(sub, "cus", status, owned)));
  };
  EXPECT_EQ(updated("e0", 90, "sub", "on_hold").status, 200);
  EXPECT_EQ(admin.get("/api/admin/billing").body, R"({"account":null,"invoices":[]})") << "nor makes an account";
  updated("e1", 100, "sub", "active");
  const std::string before = admin.get("/api/admin/billing").body;
  EXPECT_EQ(updated("e2", 110, "sub", "on_hold").status, 200);
  EXPECT_EQ(updated("e3", 120, "another", "").status, 200);
  EXPECT_EQ(admin.get("/api/admin/billing").body, before);
  EXPECT_EQ(admin.get("/api/data/webhook-event").text("/items/0/status"), "IGNORED");
  EXPECT_EQ(updated("e4", 105, "sub", "past_due").status, 200);
  EXPECT_EQ(admin.get("/api/admin/billing").text("/account/status"), "PAST_DUE") << "nor counts as the newest word";
  updated("e5", 130, "sub", "incomplete_expired");
  EXPECT_EQ(admin.get("/api/admin/billing").text("/account/status"), "CANCELLED");
}

TEST_P(BillingWebhook, shows_events_of_no_tenant_only_to_platform_admins) {
  post(provider, event("e1", "invoice.paid", 110, invoice("in_1", "cus")));
  post(provider, event("e2", "invoice.paid", 110, invoice("in_2", "cus", R"(,"metadata":{"tenantId":"default"})")));
  CheckedClient shop_admin = server.member("default", "TenantAdmin");
  EXPECT_EQ(admin.get("/api/data/webhook-event").size("/items"), 2u);
  const HttpReply shown = shop_admin.get("/api/data/webhook-event");
  ASSERT_EQ(shown.size("/items"), 1u);
  EXPECT_EQ(shown.text("/items/0/eventId"), "e2");
}

TEST_P(BillingWebhook, reports_a_failed_payment_to_the_operator_once) {
  const std::string body = event("e1", "invoice.payment_failed", 120, invoice("in_1", "cus"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(post(provider, body).status, 200);
  EXPECT_EQ(post(provider, event("e0", "invoice.payment_failed", 110, invoice("in_1", "cus"))).status, 200);
  ASSERT_TRUE(mail.wait_for_mails(1));
  post(provider, event("e2", "invoice.payment_failed", 130, invoice("in_2", "cus")));
  ASSERT_TRUE(mail.wait_for_mails(2));
  const auto mails = mail.mails();
  ASSERT_EQ(mails.size(), 2u);
  EXPECT_EQ(mails[0].from, "hall@example.com");
  EXPECT_EQ(mails[0].to, std::vector<std::string>{"ops@example.com"});
  EXPECT_NE(mails[0].text.find("Subject: Payment failed: in_1"), std::string::npos) << mails[0].text;
  EXPECT_NE(mails[1].text.find("in_2"), std::string::npos);
}

TEST_P(BillingWebhook, does_not_wait_for_a_mail_server_that_refuses) {
  mail.refuse_receivers("550 no");
  EXPECT_EQ(post(provider, event("e1", "invoice.payment_failed", 120, invoice("in_1", "cus"))).status, 200);
  EXPECT_EQ(account("cus").text("/account/status"), "PAST_DUE");
}

TEST_P(BillingWebhook, answers_500_when_an_event_cannot_be_applied_and_applies_it_later) {
  static const Sql away("ALTER TABLE billing_invoices RENAME TO billing_invoices_away");
  static const Sql back("ALTER TABLE billing_invoices_away RENAME TO billing_invoices");
  const std::string body = event("e1", "invoice.paid", 110, invoice("in_1", "cus"));
  server.write([](Tx& tx) { tx.run({&away, {}}); });
  EXPECT_EQ(post(provider, body).status, 500);
  EXPECT_EQ(admin.get("/api/data/webhook-event").text("/items/0/status"), "FAILED");
  server.write([](Tx& tx) { tx.run({&back, {}}); });
  EXPECT_EQ(post(provider, body).status, 200);
  EXPECT_EQ(account("cus").text("/invoices/0/status"), "PAID");
  EXPECT_EQ(admin.get("/api/data/webhook-event").text("/items/0/status"), "PROCESSED");
}

TEST_P(BillingWebhook, that_is_stored_with_a_tenant_changes_no_other_account) {
  const std::string owned = R"(,"metadata":{"tenantId":"default"})";
  post(provider, event("e1", "customer.subscription.updated", 100, subscription("sub", "cus", "active", owned)));
  const std::string stored = "/api/data/webhook-event/" + admin.get("/api/data/webhook-event").text("/items/0/id");
  server.add_tenant("other");
  static const Sql give_away("UPDATE webhook_events SET tenant_id = 'other', status = 'FAILED'");
  static const Sql forget("DELETE FROM billing_accounts");
  server.write([](Tx& tx) {
    tx.run({&give_away, {}});
    tx.run({&forget, {}});
  });
  CheckedClient other = server.member("other", "TenantAdmin");
  EXPECT_EQ(other.patch(stored, R"({"status":"RECEIVED"})").status, 200);
  EXPECT_TRUE(test::eventually([&] { return other.get(stored).text("/status") == "IGNORED"; }));
  EXPECT_TRUE(account("cus").is_null("/account"));
}

TEST_P(BillingWebhook, applies_an_event_once_when_it_is_delivered_many_times_at_once) {
  const std::string body = event("e1", "invoice.payment_failed", 120, invoice("in_1", "cus"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&] {
      test::HttpClient client(server.port());
      EXPECT_EQ(post(client, body).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(admin.get("/api/data/webhook-event").size("/items"), 1u);
  EXPECT_EQ(account("cus").text("/invoices/0/status"), "FAILED");
  ASSERT_TRUE(mail.wait_for_mails(1));
  EXPECT_EQ(mail.mails().size(), 1u);
}

std::string random_event(const std::string& customer, int step, std::mt19937& random) {
  static const std::vector<std::string> statuses{"active", "past_due", "trialing", "unpaid", "paused", "incomplete"};
  const std::string id = fmt::format("evt_{}_{}", customer, step);
  const std::string sub = fmt::format("sub_{}_{}", customer, random() % 3);
  const std::string bill = invoice(fmt::format("in_{}_{}", customer, random() % 10), customer,
                                   fmt::format(R"(,"attempt_count":{},"payment_intent":"pi_{}")", step, step));
  switch (random() % 8) {
    case 0:
      return event(id, "customer.subscription.deleted", step, subscription(sub, customer, "canceled"));
    case 1:
    case 2:
      return event(id, "invoice.payment_failed", step, bill);
    case 3:
      return event(id, "invoice.paid", step, bill);
    case 4:
      return event(id, "invoice.created", step, bill);
    default:
      return event(id, "customer.subscription.updated", step,
                   subscription(sub, customer, statuses[random() % statuses.size()]));
  }
}

// The result of the same events in their order.
struct Expected {
  BillingAccount account;
  std::map<std::string, BillingInvoice> invoices;

  void take(const std::string& body) {
    const auto event = billing_event_of(*JsonLookup::parse(body), {});
    if (!event) return;
    BillingInvoice& invoice = invoices[event->invoice];
    if (event->kind == BillingEvent::Kind::invoice_paid) {
      learn_paid(invoice, *event->paid_at, event->payment_intent, event->at);
    } else if (event->kind == BillingEvent::Kind::invoice_failed) {
      learn_failed(invoice, event->failure, event->at);
      learn_failure(account, event->failure, event->at);
    } else {
      learn(account, event->subscription);
    }
    ++account.version.value;
  }
};

TEST_P(BillingWebhook, has_the_same_result_for_every_order_of_a_thousand_events) {
  std::mt19937 random(20261115);
  std::map<std::string, Expected> expected;
  std::vector<std::string> bodies;
  for (int c = 0; c < 20; ++c) {
    const std::string customer = fmt::format("cus_{}", c);
    expected[customer].account.customer_id = customer;
    for (int step = 1; step <= 50; ++step) {
      bodies.push_back(random_event(customer, step, random));
      expected[customer].take(bodies.back());
      if (random() % 10 == 0) bodies.push_back(bodies.back());
    }
  }
  std::shuffle(bodies.begin(), bodies.end(), random);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> next = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      test::HttpClient client(server.port());
      for (std::size_t at = next++; at < bodies.size(); at = next++) ASSERT_EQ(post(client, bodies[at]).status, 200);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& [customer, known] : expected) {
    const HttpReply shown = account(customer);
    EXPECT_NE(shown.body.find(to_json(view_of(known.account))), std::string::npos)
        << shown.body << "\nexpected " << to_json(view_of(known.account));
    for (std::size_t i = 0; i < shown.size("/invoices"); ++i) {
      const std::string at = fmt::format("/invoices/{}", i);
      const BillingInvoiceView invoice = view_of(known.invoices.at(shown.text(at + "/invoiceId")));
      EXPECT_EQ(shown.text(at + "/status"), name_of(invoice.status));
      EXPECT_EQ(shown.text(at + "/failureMessage"), invoice.failure_message.value_or(""));
      EXPECT_EQ(shown.text(at + "/paymentIntentId"), invoice.payment_intent_id.value_or(""));
    }
  }
}

TEST(BillingUnbound, has_no_webhook) {
  TestServer server(test::Engine::sqlite);
  CheckedClient provider = server.client();
  EXPECT_EQ(post(provider, "{}").status, 404);
  EXPECT_TRUE(server.admin().get("/api/admin/billing").is_null("/account"));
}

TEST(BillingWithoutSecret, is_refused_in_production_and_accepted_in_development) {
  TestServer production(test::Engine::sqlite, {{"PLATFORM_BILLING_ENABLED", "true"}});
  CheckedClient strict = production.client();
  EXPECT_EQ(post(strict, "{}").status, 500);
  TestServer development(test::Engine::sqlite, {{"SERVICE_ENV", "development"}, {"PLATFORM_BILLING_ENABLED", "true"}});
  CheckedClient lenient = development.client();
  EXPECT_EQ(post(lenient, "{}", "").status, 200);
  EXPECT_EQ(post(lenient, "no", "").status, 400);
}

}  // namespace
}  // namespace guildhall
