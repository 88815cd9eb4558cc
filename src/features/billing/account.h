#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"

// Billing accounts: the tenants' subscriptions and invoices at the platform's billing provider, as its events report
// them. Events arrive in any order and more than once. So records store facts, each with the provider's time of the
// event, and what the API shows is computed from the facts: it does not depend on the order of arrival. Only events of
// the same second are applied in the order of arrival. Pure: no clock, no database.
namespace guildhall {

enum class AccountStatus { ACTIVE, TRIALING, PAST_DUE, CANCELLED, INCOMPLETE, UNPAID, PAUSED };
BOOST_DESCRIBE_ENUM(AccountStatus, ACTIVE, TRIALING, PAST_DUE, CANCELLED, INCOMPLETE, UNPAID, PAUSED)

enum class InvoiceStatus { OPEN, PAID, FAILED };
BOOST_DESCRIBE_ENUM(InvoiceStatus, OPEN, PAID, FAILED)

// Parses the provider's name of a status. Nothing for an unknown one.
std::optional<AccountStatus> account_status_of(std::string_view provider_status);

struct KnownSubscription {
  std::string id;
  AccountStatus status = AccountStatus::INCOMPLETE;
  std::int64_t at = 0;  // seconds
  std::int64_t arrival = 0;
  bool deleted = false;  // cannot be undone
  std::optional<std::string> price_id;
  std::optional<Instant> current_period_end;
  std::int64_t terms_at = 0;  // of price and period
};
BOOST_DESCRIBE_STRUCT(KnownSubscription, (), (id, status, at, arrival, deleted, price_id, current_period_end, terms_at))

struct KnownFailure {
  std::string reason;
  std::int64_t at = 0;  // seconds
  std::int64_t arrival = 0;
};
BOOST_DESCRIBE_STRUCT(KnownFailure, (), (reason, at, arrival))

struct BillingAccount {
  TenantId tenant_id;  // empty: the platform's
  std::string customer_id;
  std::optional<TenantId> owner_tenant_id;
  std::optional<TenantId> named_tenant_id;
  std::optional<TenantId> maker_tenant_id;
  std::int64_t named_at = 0;
  std::vector<KnownSubscription> subscriptions;
  std::optional<KnownFailure> failure;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(BillingAccount, (),
                      (tenant_id, customer_id, owner_tenant_id, named_tenant_id, maker_tenant_id, named_at,
                       subscriptions, failure, created_at, updated_at, version))

struct BillingInvoice {
  TenantId tenant_id;  // empty: the platform's
  std::string invoice_id;
  std::optional<std::string> customer_id;
  std::optional<Instant> paid_at;
  std::optional<std::string> payment_intent_id;
  std::int64_t intent_at = 0;  // seconds, as failed_at
  std::optional<std::string> failure_message;
  std::optional<std::int64_t> failed_at;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(BillingInvoice, (),
                      (tenant_id, invoice_id, customer_id, paid_at, payment_intent_id, intent_at, failure_message,
                       failed_at, created_at, updated_at, version))

struct SubscriptionReport {
  std::string id;
  std::optional<AccountStatus> status;
  std::optional<std::string> price_id;
  std::optional<Instant> current_period_end;
  std::int64_t at = 0;
  bool deleted = false;

  bool has_known_status() const { return deleted || status; }
};

// A deleted subscription stays deleted, also if a later event reports another status. An unknown status changes
// nothing.
void learn(BillingAccount& account, const SubscriptionReport& report);
void learn_failure(BillingAccount& account, const std::string& reason, std::int64_t at);

// The owner of the account: the tenant in the provider's metadata, or else the one for which the customer was created.
void learn_owner(BillingAccount& account, const TenantId& named, std::int64_t at);
void learn_maker(BillingAccount& account, const TenantId& maker);

// A paid invoice stays paid.
void learn_paid(BillingInvoice& invoice, Instant paid_at, const std::optional<std::string>& intent, std::int64_t at);

// Returns true if the failure should be reported: it is newer than the known one, and the invoice is not paid.
bool learn_failed(BillingInvoice& invoice, const std::string& message, std::int64_t at);

// As the API shows them.
struct AccountView {
  std::string customer_id;
  std::optional<std::string> subscription_id;
  std::optional<std::string> price_id;
  AccountStatus status = AccountStatus::INCOMPLETE;
  std::optional<std::string> past_due_reason;
  std::optional<Instant> current_period_end;
};
BOOST_DESCRIBE_STRUCT(AccountView, (),
                      (customer_id, subscription_id, price_id, status, past_due_reason, current_period_end))

struct BillingInvoiceView {
  std::string invoice_id;
  InvoiceStatus status = InvoiceStatus::OPEN;
  std::optional<Instant> paid_at;
  std::optional<std::string> payment_intent_id;
  std::optional<std::string> failure_message;
};
BOOST_DESCRIBE_STRUCT(BillingInvoiceView, (), (invoice_id, status, paid_at, payment_intent_id, failure_message))

AccountView view_of(const BillingAccount& account);
BillingInvoiceView view_of(const BillingInvoice& invoice);

}  // namespace guildhall
