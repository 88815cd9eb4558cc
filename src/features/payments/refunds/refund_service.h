#pragma once

#include "features/payments/payment_service.h"
#include "features/payments/refunds/refund.h"

// Refunds that a processor carries out.
namespace guildhall {

// Asks the processor for the refund and writes the result. Throws ProcessorFailure `refused` when the processor
// refuses: the refund is FAILED then. When the processor cannot be reached the refund stays PENDING, and the outbox
// tries again.
Task<> carry_out_refund(Database& db, const PaymentService& service, const Actor& actor, const Refund& refund);

// The outbox's handler of refund_topic.
outbox::Verdict carry_out_refund(Storage& storage, const PaymentService& service, const outbox::Delivery& delivery);

}  // namespace guildhall
