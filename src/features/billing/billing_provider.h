#pragma once

#include "base/config.h"
#include "outbox/verdict.h"
#include "storage/database.h"

// What we ask of the billing provider, through the outbox: a customer and a subscription for every new tenant. The
// message's id is the Idempotency-Key, so that a repetition makes no second one.
namespace guildhall {

constexpr std::string_view billing_customer_topic = "billing.customer";
constexpr std::string_view billing_subscription_topic = "billing.subscription";

// Nothing where BILLING_API_KEY is not set.
void queue_billing_customer(Tx& tx, const Config& config, const TenantId& tenant, const std::string& name, Instant now);

// The outbox's handlers of the two topics.
outbox::Verdict create_billing_customer(const Config& config, const outbox::Delivery& delivery);
outbox::Verdict create_billing_subscription(const Config& config, const outbox::Delivery& delivery);

}  // namespace guildhall
