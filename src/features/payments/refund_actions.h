#pragma once

#include "features/orders/order.h"
#include "features/payments/processor.h"
#include "features/payments/refund.h"
#include "outbox/events.h"
#include "storage/database.h"

// What happens with refunds, inside the caller's transaction. Money is reserved on its payment before anybody is asked
// to return it, so that two refunds together never exceed the payment.
namespace guildhall {

constexpr std::string_view refund_topic = "payment.refund";

struct RefundMessage {
  RefundId refund;
};
BOOST_DESCRIBE_STRUCT(RefundMessage, (), (refund))

// Reserves the amount (everything, without one). Refunds that a processor carries out stay PENDING, and are queued to
// be carried out should the caller not do so; the others are DONE at once. An order that was marked as paid by hand
// has its total to give back. Throws not_found, NOTHING_TO_REFUND, REFUND_EXCEEDS_PAYMENT.
std::vector<Refund> begin_refunds(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor,
                                  const OrderId& order, const RefundInput& input,
                                  FunctionRef<bool(PaymentProvider)> can_refund, Instant now);

// The money is on its way. When all payments of a paid order have been returned, the order becomes REFUNDED.
void finish_refund(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, const RefundId& id,
                   const std::string& provider_refund_id, Instant now);

// It is not: the reservation ends.
void fail_refund(Tx& tx, const TenantId& tenant, const Actor& actor, const RefundId& id, const std::string& reason,
                 Instant now);

// A processor tells of money that went back: what we asked for, or its own doing (a charge-back).
void note_refund(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, PaymentProvider provider,
                 const RefundNews& news, Instant now);

}  // namespace guildhall
