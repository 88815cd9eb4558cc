#pragma once

#include "base/json_lookup.h"
#include "features/billing/account.h"

// The billing provider's events, in the shapes of before and after its change of 2025-03-31: the new place of a value
// is read first. Any id may be a text or an expanded object. Pure.
namespace guildhall {

struct BillingEvent {
  enum class Kind { invoice_paid, invoice_failed, subscription_updated, subscription_deleted };
  Kind kind;
  std::int64_t at = 0;    // seconds
  std::string customer;   // empty: unknown
  std::string tenant_id;  // as its metadata says; empty: it does not
  std::string invoice{};
  std::optional<Instant> paid_at{};
  std::optional<std::string> payment_intent{};
  std::string failure{};
  SubscriptionReport subscription{};
};

// Nothing for every other event, for one that does not say what it is about, and for a subscription whose status we do
// not know: such an event changes nothing.
std::optional<BillingEvent> billing_event_of(const JsonLookup& event, Instant now);

// A subscription object, wherever it lies in the document; also what the provider answers to its creation.
SubscriptionReport subscription_at(const JsonLookup& document, const std::string& place, std::int64_t at);

// The tenant that an event names, whatever its type; empty when it names none.
std::string tenant_named_by(const JsonLookup& event);

}  // namespace guildhall
