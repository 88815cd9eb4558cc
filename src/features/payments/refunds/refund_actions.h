#pragma once

#include "features/orders/order.h"
#include "features/payments/processors/processor.h"
#include "features/payments/refunds/refund.h"
#include "outbox/events.h"
#include "storage/database.h"

// The actions on refunds. Each runs in the caller's transaction. The amount is reserved on its payment before the
// processor is asked, so that concurrent refunds never exceed the payment.
namespace guildhall {

constexpr std::string_view refund_topic = "payment.refund";

struct RefundMessage {
  RefundId refund;
};
BOOST_DESCRIBE_STRUCT(RefundMessage, (), (refund))

// Refuses another currency for an order that has a payment, in whatever status: its money may still arrive.
// Records the refund of an order that was paid by hand, when the order is cancelled or marked as refunded by hand.
void subscribe_refunds(Events& events);

// Queues the refund for the outbox, which requests it from the processor or asks for its state.
void queue_refund(Tx& tx, const Refund& refund, PaymentProvider provider, Instant due, Instant now);

// Reserves the amount (default: everything). Refunds through a processor stay PENDING; they are queued in case the
// caller does not carry them out. The others are DONE at once. For an order that was marked as paid by hand, a MANUAL
// payment of its total is created. Throws not_found, NOTHING_TO_REFUND, REFUND_EXCEEDS_PAYMENT, REFUND_NOT_POSSIBLE.
std::vector<Refund> begin_refunds(const ActionContext& context, const OrderId& order, const RefundInput& input);

// Records that the processor has accepted the refund and will report its result later.
void await_refund(const ActionContext& context, const RefundId& id, const std::string& provider_refund_id);

// Marks the refund as DONE. When all payments of a paid order have been refunded, the order becomes REFUNDED. With
// RefundCause::requested the fund may refuse: INSUFFICIENT_BALANCE.
void finish_refund(const ActionContext& context, const RefundId& id, const std::string& provider_refund_id,
                   RefundCause cause);

// Marks the refund as FAILED and ends the reservation. The payment is flagged if no caller learns of the failure.
enum class OnFailure { tell_caller, flag_payment };
void fail_refund(const ActionContext& context, const RefundId& id, const std::string& reason, OnFailure on_failure);

// Applies a processor's report of a refund: one that we requested, one of its own (a charge-back), or one that failed,
// even after it was DONE. If the fund cannot return its part, the payment is flagged. A report from an account of
// another owner than the payment's changes nothing.
void apply_refund_report(const ActionContext& context, PaymentProvider provider, const RefundReport& report,
                         AccountOwner owner);

}  // namespace guildhall
