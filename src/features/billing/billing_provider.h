#pragma once

#include "features/billing/billing_config.h"
#include "features/email/email.h"
#include "outbox/events.h"
#include "outbox/verdict.h"

// Calls to the billing provider, through the outbox: they create a customer and a subscription for every new tenant.
// The message's id is the Idempotency-Key, so that a retry creates no second one.
namespace guildhall {

constexpr std::string_view billing_customer_topic = "billing.customer";
constexpr std::string_view billing_subscription_topic = "billing.subscription";

// Queues a billing customer for each TenantCreated. Does nothing when BILLING_API_KEY is not set.
void subscribe_billing(Events& events, const BillingConfig& config);

// The outbox's handlers of the two topics.
outbox::Verdict create_billing_customer(const BillingConfig& config, const OperationsContact& operations,
                                        const outbox::Delivery& delivery);
outbox::Verdict create_billing_subscription(const BillingConfig& config, const OperationsContact& operations,
                                            const outbox::Delivery& delivery);

}  // namespace guildhall
