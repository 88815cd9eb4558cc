#pragma once

#include "api/list.h"
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

struct PaymentQuery : api::ListParams {
  Only<"attention IS NOT NULL", "With true, only payments that somebody should look at."> attention;
  Is<OrderId, "The payments of this order."> order_id;
  OneOf<PaymentProvider, "Payments with one of these providers."> provider;
  OneOf<PaymentStatus, "Payments in one of these statuses."> status;
  Search<"LOWER(COALESCE(provider_payment_id, '') || ' ' || COALESCE(provider_reference, ''))",
         "A part of the provider's id of the payment, in any case.">
      search;
  From<Instant, "created_at", "Opened at this time or later."> created_from;
  To<Instant, "created_at", "Opened at this time or earlier."> created_to;
  From<Cents, "amount_cents", "The amount is this or more."> amount_min;
  To<Cents, "amount_cents", "The amount is this or less."> amount_max;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(PaymentQuery, (api::ListParams),
                      (attention, order_id, provider, status, search, created_from, created_to, amount_min, amount_max,
                       sort))

const Listing& payment_listing();

// False if the provider's payment is known already, or the order has a live payment with that provider.
bool insert_payment(Tx& tx, const Payment& payment);

// Defers the update of the record and increments its version. The transaction fails with WriteRace if the record was
// changed since it was read.
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
