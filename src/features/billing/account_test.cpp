// Accounts and invoices do not depend on the order in which their events arrive.
#include "features/billing/account.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include "features/billing/billing_error.h"
#include "features/billing/billing_event.h"

namespace guildhall {
namespace {

using enum AccountStatus;

SubscriptionReport report(std::string id, AccountStatus status, std::int64_t at, bool deleted = false) {
  return {.id = std::move(id),
          .status = status,
          .price_id = "price_" + std::to_string(at),
          .current_period_end = Instant{at},
          .at = at,
          .deleted = deleted};
}

using Step = std::function<void(BillingAccount&)>;

Step updated(std::string id, AccountStatus status, std::int64_t at) {
  return [=](BillingAccount& account) { learn(account, report(id, status, at)); };
}
Step deleted(std::string id, std::int64_t at) {
  return [=](BillingAccount& account) { learn(account, report(id, CANCELLED, at, true)); };
}
Step failed(std::string reason, std::int64_t at) {
  return [=](BillingAccount& account) { learn_failure(account, reason, at); };
}

// Every order of the steps comes to this.
void expect_always(const std::vector<Step>& steps, AccountStatus status, const std::string& subscription,
                   const std::optional<std::string>& reason) {
  std::vector<std::size_t> order(steps.size());
  std::iota(order.begin(), order.end(), 0);
  std::string first;
  do {
    BillingAccount account;
    for (const std::size_t step : order) {
      steps[step](account);
      ++account.version.value;
    }
    const AccountView view = view_of(account);
    if (first.empty()) first = to_json(view);
    EXPECT_EQ(to_json(view), first);
    EXPECT_EQ(view.status, status);
    EXPECT_EQ(view.subscription_id.value_or(""), subscription);
    EXPECT_EQ(view.past_due_reason, reason);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Account, shows_the_newest_report_whatever_the_order_of_arrival) {
  expect_always({updated("s", TRIALING, 1), updated("s", ACTIVE, 2)}, ACTIVE, "s", {});
  expect_always({updated("s", ACTIVE, 1), failed("declined", 2)}, PAST_DUE, "s", "declined");
  expect_always({failed("declined", 1), updated("s", ACTIVE, 2)}, ACTIVE, "s", {});
  expect_always({failed("declined", 1), updated("s", PAST_DUE, 2)}, PAST_DUE, "s", "declined");
  expect_always({failed("first", 1), failed("second", 2)}, PAST_DUE, "", "second");
}

TEST(Account, that_ended_stays_ended_until_a_new_subscription_begins) {
  expect_always({deleted("s", 2), updated("s", ACTIVE, 1)}, CANCELLED, "s", {});
  expect_always({deleted("s", 2), updated("s", ACTIVE, 3)}, CANCELLED, "s", {});
  expect_always({deleted("s", 2), updated("s", ACTIVE, 2)}, CANCELLED, "s", {});
  expect_always({deleted("s", 2), failed("late", 3)}, CANCELLED, "s", {});
  expect_always({updated("old", ACTIVE, 1), deleted("old", 2), updated("new", ACTIVE, 3)}, ACTIVE, "new", {});
  expect_always({updated("new", ACTIVE, 4), updated("old", ACTIVE, 3), deleted("old", 5)}, ACTIVE, "new", {});
}

TEST(Account, is_not_changed_by_a_status_that_is_not_known) {
  SubscriptionReport unknown = report("s", ACTIVE, 9);
  unknown.status.reset();
  SubscriptionReport of_another = unknown;
  of_another.id = "another";
  for (const Step& before : {updated("s", ACTIVE, 1), updated("s", PAST_DUE, 1), deleted("s", 1)}) {
    BillingAccount account;
    before(account);
    const std::string shown = to_json(view_of(account));
    learn(account, unknown);
    learn(account, of_another);
    EXPECT_EQ(to_json(view_of(account)), shown);
    EXPECT_EQ(account.subscriptions.size(), 1u);
  }
}

TEST(Account, whose_first_payment_was_never_made_is_cancelled) {
  EXPECT_EQ(account_status_of("incomplete_expired"), CANCELLED);
  EXPECT_EQ(account_status_of("incomplete"), INCOMPLETE);
  for (const char* unknown : {"", "ACTIVE", "cancelled", "on_hold"}) {
    EXPECT_EQ(account_status_of(unknown), std::nullopt) << unknown;
  }
}

TEST(Account, applies_events_of_one_second_in_the_order_of_arrival) {
  BillingAccount account;
  for (const Step& step : {updated("s", ACTIVE, 7), failed("declined", 7)}) {
    step(account);
    ++account.version.value;
  }
  EXPECT_EQ(view_of(account).status, PAST_DUE);
  updated("s", ACTIVE, 7)(account);
  EXPECT_EQ(view_of(account).status, ACTIVE);
}

TEST(Account, belongs_to_the_tenant_in_the_metadata_or_else_to_its_creator) {
  BillingAccount account;
  learn_maker(account, TenantId(std::string("maker")));
  EXPECT_EQ(account.owner_tenant_id->text(), "maker");
  learn_owner(account, TenantId(std::string("named")), 5);
  learn_owner(account, TenantId(std::string("older")), 4);
  learn_maker(account, TenantId(std::string("maker")));
  EXPECT_EQ(account.owner_tenant_id->text(), "named");
}

TEST(Invoice, that_is_paid_stays_paid) {
  BillingInvoice forward, backward;
  EXPECT_TRUE(learn_failed(forward, "declined", 1));
  learn_paid(forward, Instant{2000}, "pi_1", 2);
  learn_paid(backward, Instant{2000}, "pi_1", 2);
  EXPECT_FALSE(learn_failed(backward, "declined", 1)) << "nobody needs to hear of it";
  learn_paid(backward, Instant{2000}, std::nullopt, 3);
  EXPECT_EQ(to_json(view_of(forward)), to_json(view_of(backward)));
  EXPECT_EQ(view_of(forward).status, InvoiceStatus::PAID);
  EXPECT_EQ(view_of(forward).failure_message, std::nullopt);
  EXPECT_EQ(view_of(backward).payment_intent_id, "pi_1");
}

BillingEvent parsed(const std::string& type, const std::string& object) {
  return *billing_event_of(
      *JsonLookup::parse(fmt::format(R"({{"type":"{}","created":50,"data":{{"object":{}}}}})", type, object)), {});
}

TEST(BillingEvents, are_read_in_the_old_shape_and_the_new) {
  for (
      const char* object :
      {R"({"id":"in","customer":"cus","payment_intent":"pi","status_transitions":{"paid_at":40}})",
       R"({"id":"in","customer":{"id":"cus"},"status_transitions":{"paid_at":40},"payments":{"data":[)"
       R"({"payment":{"payment_intent":"pi_other"}},{"is_default":true,"payment":{"payment_intent":{"id":"pi"}}}]}})"}) {
    const BillingEvent event = parsed("invoice.paid", object);
    EXPECT_EQ(event.invoice, "in");
    EXPECT_EQ(event.customer, "cus");
    EXPECT_EQ(event.payment_intent, "pi");
    EXPECT_EQ(event.paid_at, Instant{40'000});
    EXPECT_EQ(event.at, 50);
  }
  const BillingEvent bare = parsed("invoice.paid", R"({"id":"in"})");
  EXPECT_EQ(bare.paid_at, Instant{50'000});
  EXPECT_EQ(bare.payment_intent, std::nullopt);
  for (
      const char* object :
      {R"({"id":"sub","customer":"cus","status":"active","current_period_end":9,"items":{"data":[{"price":{"id":"pr"}}]}})",
       R"({"id":"sub","customer":"cus","status":"active","current_period_end":1,"items":{"data":[)"
       R"({"price":"pr","current_period_end":11},{"current_period_end":9}]}})"}) {
    const BillingEvent event = parsed("customer.subscription.updated", object);
    EXPECT_EQ(event.subscription.price_id, "pr");
    EXPECT_EQ(event.subscription.current_period_end, Instant{9'000});
    EXPECT_EQ(event.subscription.status, ACTIVE);
  }
}

TEST(BillingEvents, give_the_reason_of_a_failed_payment) {
  const std::pair<const char*, const char*> table[] = {
      {R"({"id":"in","payment_intent":{"id":"pi","last_payment_error":{"message":"Declined."}}})", "Declined."},
      {R"({"id":"in","payments":{"data":[{"payment":{"payment_intent":{"id":"pi","last_payment_error":{"message":"No."}}}}]}})",
       "No."},
      {R"({"id":"in","payment_intent":"pi","last_finalization_error":{"message":"Tax."}})", "Tax."},
      {R"({"id":"in","attempt_count":3})", "The payment failed (attempt 3)."},
      {R"({"id":"in"})", "The payment failed."}};
  for (const auto& [object, text] : table) EXPECT_EQ(parsed("invoice.payment_failed", object).failure, text);
}

TEST(BillingEvents, name_their_tenant_in_metadata) {
  EXPECT_EQ(parsed("invoice.paid", R"({"id":"in","metadata":{"tenantId":"t1"}})").tenant_id, "t1");
  EXPECT_EQ(parsed("invoice.paid", R"({"id":"in","parent":{"subscription_details":{"metadata":{"tenantId":"t2"}}}})")
                .tenant_id,
            "t2");
  EXPECT_EQ(parsed("invoice.paid", R"({"id":"in","metadata":{"tenantId":"no such/id"}})").tenant_id, "");
  EXPECT_FALSE(billing_event_of(*JsonLookup::parse(R"({"type":"invoice.created","data":{"object":{"id":"x"}}})"), {}));
  EXPECT_FALSE(billing_event_of(*JsonLookup::parse(R"({"type":"invoice.paid"})"), {}));
}

TEST(BillingErrors, are_retried_or_not_as_the_contract_says) {
  using enum BillingErrorCode;
  constexpr auto retry = outbox::Verdict::Kind::retry, dead = outbox::Verdict::Kind::dead;
  struct Case {
    int status;
    const char* type;
    const char* code;
    BillingErrorCode expected;
    outbox::Verdict::Kind verdict;
  };
  const Case table[] = {{402, "card_error", "card_declined", card_declined, dead},
                        {402, "", "", card_declined, dead},
                        {429, "", "", rate_limited, retry},
                        {400, "invalid_request_error", "rate_limit", rate_limited, retry},
                        {400, "invalid_request_error", "", invalid_request, dead},
                        {404, "invalid_request_error", "resource_missing", invalid_request, dead},
                        {0, "", "", network, retry},
                        {401, "invalid_request_error", "", authentication, dead},
                        {403, "invalid_request_error", "", permission, dead},
                        {400, "idempotency_error", "", idempotency, dead},
                        {409, "", "", idempotency, dead},
                        {409, "invalid_request_error", "lock_timeout", unknown, retry},
                        {500, "api_error", "", unknown, retry},
                        {302, "", "", unknown, retry}};
  for (const Case& line : table) {
    outbound::Reply reply;
    reply.status = line.status;
    reply.body = fmt::format(R"({{"error":{{"type":"{}","code":"{}","message":"because"}}}})", line.type, line.code);
    const auto error = billing_error_of(reply);
    ASSERT_TRUE(error) << line.status;
    EXPECT_EQ(error->code, line.expected) << line.status << line.type << line.code;
    EXPECT_EQ(verdict_of(error->code), line.verdict) << line.status;
  }
  outbound::Reply well;
  well.status = 200;
  EXPECT_FALSE(billing_error_of(well));
}

}  // namespace
}  // namespace guildhall
