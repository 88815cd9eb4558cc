#pragma once

#include "features/orders/order.h"
#include "features/payments/processors/processor.h"
#include "features/payments/refunds/refund.h"
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

// Has the outbox carry the refund out, or see how far the processor is with it.
void queue_refund(Tx& tx, const Refund& refund, PaymentProvider provider, Instant due, Instant now);

// Reserves the amount (everything, without one). Refunds that a processor carries out stay PENDING, and are queued to
// be carried out should the caller not do so; the others are DONE at once. An order that was marked as paid by hand
// has its total to give back. Throws not_found, NOTHING_TO_REFUND, REFUND_EXCEEDS_PAYMENT, REFUND_NOT_POSSIBLE.
std::vector<Refund> begin_refunds(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor,
                                  const OrderId& order, const RefundInput& input, Instant now);

// The processor has taken it on, and will say later what comes of it.
void await_refund(const ActionContext& change, const RefundId& id, const std::string& provider_refund_id);

// The money is on its way. When all payments of a paid order have been returned, the order becomes REFUNDED. With
// RefundCause::requested the fund may refuse: INSUFFICIENT_BALANCE.
void finish_refund(const ActionContext& change, const RefundId& id, const std::string& provider_refund_id,
                   RefundCause cause);

// It is not: the reservation ends. Where nobody waits for the answer the payment is flagged.
enum class Awaited { by_somebody, by_nobody };
void fail_refund(const ActionContext& change, const RefundId& id, const std::string& reason, Awaited awaited);

// A processor tells of money that went back, because we asked or by its own doing (a charge-back), or of a refund that
// came to nothing, which may have been done already. What the fund cannot give back of it is flagged. A report from an
// account of another owner than the payment's changes nothing.
void note_refund(Tx& tx, const Events& events, const TenantId& tenant, const Actor& actor, PaymentProvider provider,
                 const RefundReport& report, AccountOwner owner, Instant now);

}  // namespace guildhall
