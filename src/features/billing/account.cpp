#include "features/billing/account.h"

#include <algorithm>

namespace guildhall {
namespace {

constexpr std::size_t subscriptions_max = 50;

bool has_ended(const KnownSubscription& subscription) {
  return subscription.status == AccountStatus::CANCELLED;
}

// Active subscriptions come before those that have ended, and newer ones before older ones.
bool goes_before(const KnownSubscription& a, const KnownSubscription& b) {
  return std::tuple(!has_ended(a), a.at, a.arrival) > std::tuple(!has_ended(b), b.at, b.arrival);
}

const KnownSubscription* shown_subscription(const BillingAccount& account) {
  const auto first = std::min_element(account.subscriptions.begin(), account.subscriptions.end(), goes_before);
  return first == account.subscriptions.end() ? nullptr : &*first;
}

KnownSubscription& known(BillingAccount& account, const std::string& id) {
  auto& list = account.subscriptions;
  const auto found = std::find_if(list.begin(), list.end(), [&](const KnownSubscription& s) { return s.id == id; });
  if (found != list.end()) return *found;
  if (list.size() >= subscriptions_max) {
    std::sort(list.begin(), list.end(), goes_before);
    list.pop_back();
  }
  return list.emplace_back(KnownSubscription{.id = id, .at = -1, .price_id = {}, .current_period_end = {}});
}

void settle_owner(BillingAccount& account) {
  account.owner_tenant_id = account.named_tenant_id ? account.named_tenant_id : account.maker_tenant_id;
}

}  // namespace

std::optional<AccountStatus> account_status_of(std::string_view provider_status) {
  using enum AccountStatus;
  constexpr std::pair<std::string_view, AccountStatus> words[] = {
      {"active", ACTIVE},      {"trialing", TRIALING},     {"past_due", PAST_DUE},
      {"canceled", CANCELLED}, {"incomplete", INCOMPLETE}, {"incomplete_expired", CANCELLED},
      {"unpaid", UNPAID},      {"paused", PAUSED}};
  for (const auto& [word, status] : words) {
    if (word == provider_status) return status;
  }
  return std::nullopt;
}

void learn(BillingAccount& account, const SubscriptionReport& report) {
  if (!report.has_known_status()) return;
  KnownSubscription& subscription = known(account, report.id);
  if (report.price_id && report.at >= subscription.terms_at) {
    subscription.price_id = report.price_id;
    subscription.current_period_end = report.current_period_end;
    subscription.terms_at = report.at;
  }
  const bool newer = report.deleted != subscription.deleted ? report.deleted : report.at >= subscription.at;
  if (!newer) return;
  if (report.deleted) {
    subscription.deleted = true;
    subscription.status = AccountStatus::CANCELLED;
  } else {
    subscription.status = *report.status;
  }
  subscription.at = report.at;
  subscription.arrival = account.version;
}

void learn_failure(BillingAccount& account, const std::string& reason, std::int64_t at) {
  if (account.failure && at < account.failure->at) return;
  account.failure = {reason, at, account.version};
}

void learn_owner(BillingAccount& account, const TenantId& named, std::int64_t at) {
  if (account.named_tenant_id && at < account.named_at) return;
  account.named_tenant_id = named;
  account.named_at = at;
  settle_owner(account);
}

void learn_maker(BillingAccount& account, const TenantId& maker) {
  account.maker_tenant_id = maker;
  settle_owner(account);
}

void learn_paid(BillingInvoice& invoice, Instant paid_at, const std::optional<std::string>& intent, std::int64_t at) {
  if (!invoice.paid_at || paid_at < *invoice.paid_at) invoice.paid_at = paid_at;
  if (!intent || (invoice.payment_intent_id && at < invoice.intent_at)) return;
  invoice.payment_intent_id = intent;
  invoice.intent_at = at;
}

bool learn_failed(BillingInvoice& invoice, const std::string& message, std::int64_t at) {
  if (invoice.failed_at && at < *invoice.failed_at) return false;
  const bool newer = !invoice.failed_at || at > *invoice.failed_at;
  invoice.failed_at = at;
  invoice.failure_message = message;
  return newer && !invoice.paid_at;
}

AccountView view_of(const BillingAccount& account) {
  AccountView view{.customer_id = account.customer_id,
                   .subscription_id = {},
                   .price_id = {},
                   .status = AccountStatus::INCOMPLETE,
                   .past_due_reason = {},
                   .current_period_end = {}};
  const KnownSubscription* subscription = shown_subscription(account);
  if (subscription != nullptr) {
    view.subscription_id = subscription->id;
    view.price_id = subscription->price_id;
    view.status = subscription->status;
    view.current_period_end = subscription->current_period_end;
  }
  if (!account.failure) return view;
  const KnownFailure& failure = *account.failure;
  const bool failed_since =
      subscription == nullptr || (!has_ended(*subscription) && std::pair(failure.at, failure.arrival) >
                                                                   std::pair(subscription->at, subscription->arrival));
  if (failed_since) view.status = AccountStatus::PAST_DUE;
  if (view.status == AccountStatus::PAST_DUE || view.status == AccountStatus::UNPAID) {
    view.past_due_reason = failure.reason;
  }
  return view;
}

BillingInvoiceView view_of(const BillingInvoice& invoice) {
  BillingInvoiceView view{.invoice_id = invoice.invoice_id,
                          .status = InvoiceStatus::OPEN,
                          .paid_at = invoice.paid_at,
                          .payment_intent_id = invoice.payment_intent_id,
                          .failure_message = {}};
  if (invoice.paid_at) {
    view.status = InvoiceStatus::PAID;
  } else if (invoice.failed_at) {
    view.status = InvoiceStatus::FAILED;
    view.failure_message = invoice.failure_message;
  }
  return view;
}

}  // namespace guildhall
