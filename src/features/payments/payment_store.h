#pragma once

#include "api/page.h"
#include "features/payments/payment.h"
#include "storage/database.h"

// All SQL of payments. Every function needs a tenant.
namespace guildhall {

Select<Payment> payment_by_id(const TenantId& tenant, const PaymentId& id);
Select<Payment> payment_by_provider_id(const TenantId& tenant, PaymentProvider provider, const std::string& id);
Select<Payment> payment_by_reference(const TenantId& tenant, PaymentProvider provider, const std::string& reference);

// The payment of the order with that provider that is being opened or can still be paid. There is at most one.
Select<Payment> live_payment(const TenantId& tenant, const OrderId& order, PaymentProvider provider);
Select<Payment> payments_of_order(const TenantId& tenant, const OrderId& order);

// The payments that only a webhook has reported for that order, and that nobody has resolved yet.
Select<Payment> unconfirmed_payments(const TenantId& tenant, const OrderId& order);

// Newest first, after the position; all payments, or only the flagged ones.
Select<Payment> payments_after(const TenantId& tenant, bool attention_only, const Position& position,
                               std::int64_t limit);

// False if the provider's payment is known already, or the order has a live payment with that provider.
bool insert_payment(Tx& tx, const Payment& payment);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_payment(Tx& tx, Payment& payment);

// Locks all payments of the order until the transaction ends: of two transactions that refund the order's last payments
// at the same time, the second sees the first one's refund.
void lock_payments(Tx& tx, const TenantId& tenant, const OrderId& order);

// Records that the processor is asked about the payment now. False if somebody has asked since `not_since`.
bool claim_check(Tx& tx, const Payment& payment, Instant now, Instant not_since);

// The generation of the order's invoice links: 0 until they are revoked for the first time.
Select<std::int64_t> link_generation(const TenantId& tenant, const OrderId& order);
void revoke_links(Tx& tx, const TenantId& tenant, const OrderId& order, Instant now);

}  // namespace guildhall
