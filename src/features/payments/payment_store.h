#pragma once

#include "api/page.h"
#include "features/payments/payment.h"
#include "storage/database.h"

// All SQL of payments. Nothing here can be asked without a tenant.
namespace guildhall {

Select<Payment> payment_by_id(const TenantId& tenant, const PaymentId& id);
Select<Payment> payment_by_provider_id(const TenantId& tenant, PaymentProvider provider, const std::string& id);
Select<Payment> payment_by_reference(const TenantId& tenant, PaymentProvider provider, const std::string& reference);

// The one payment of the order that can still be paid, or is being opened, with that provider.
Select<Payment> live_payment(const TenantId& tenant, const OrderId& order, PaymentProvider provider);
Select<Payment> payments_of_order(const TenantId& tenant, const OrderId& order);

// Payments that a webhook alone has told us of for that order, and that nobody has looked at yet.
Select<Payment> unconfirmed_payments(const TenantId& tenant, const OrderId& order);

// Newest first, after the position; all, or only those that somebody should look at.
Select<Payment> payments_after(const TenantId& tenant, bool attention_only, const Position& position,
                               std::int64_t limit);

// False if the provider's payment is known already, or the order has a live payment with that provider.
bool insert_payment(Tx& tx, const Payment& payment);

// Writes the record over the version it was read at, counting the version up. Throws WriteRace if it has changed.
void update_payment(Tx& tx, Payment& payment);

// Keeps others from changing any payment of the order until the transaction ends, so that of two that return its last
// payments at the same time the second sees the first's.
void hold_payments(Tx& tx, const TenantId& tenant, const OrderId& order);

// True for the one that may ask the processor now; nobody else may before a while has passed.
bool claim_check(Tx& tx, const Payment& payment, Instant now, Instant not_since);

// The generation of the order's links: 0 until they are revoked for the first time.
Select<std::int64_t> link_generation(const TenantId& tenant, const OrderId& order);
void revoke_links(Tx& tx, const TenantId& tenant, const OrderId& order, Instant now);

}  // namespace guildhall
