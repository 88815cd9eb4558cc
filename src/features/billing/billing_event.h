#pragma once

#include "base/json_lookup.h"
#include "features/billing/account.h"

// Parses the billing provider's events, in the formats before and after the provider's change of 2025-03-31: the new
// member is read first. Any id may be a text or an expanded object. Pure.
namespace guildhall {

struct BillingEvent {
  enum class Kind { invoice_paid, invoice_failed, subscription_updated, subscription_deleted };
  Kind kind;
  std::int64_t at = 0;    // seconds
  std::string customer;   // empty: unknown
  std::string tenant_id;  // from the metadata; empty: unknown
  std::string invoice{};
  std::optional<Instant> paid_at{};
  std::optional<std::string> payment_intent{};
  std::string failure{};
  SubscriptionReport subscription{};
};

// Nothing for an event of another type, for one without the ids that it concerns, and for a subscription with an
// unknown status: such an event changes nothing.
std::optional<BillingEvent> billing_event_of(const JsonLookup& event, Instant now);

// Parses the subscription object at a place in a document: in an event, or in the reply to its creation.
SubscriptionReport subscription_at(const JsonLookup& document, const std::string& place, std::int64_t at);

// The tenant that an event of any type names; empty if it names none.
std::string tenant_named_by(const JsonLookup& event);

}  // namespace guildhall
