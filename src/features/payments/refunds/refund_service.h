#pragma once

#include "features/payments/payment_service.h"
#include "features/payments/refunds/refund.h"

// Refunds that a processor carries out.
namespace guildhall {

// Asks the processor and writes what came of it. Throws ProcessorFailure `refused` when the processor will not: the
// refund is FAILED then. When it cannot be reached the refund stays PENDING, and is the outbox's.
Task<> carry_out_refund(Database& db, const PaymentService& service, const Actor& actor, const Refund& refund);

// The outbox's handler of refund_topic.
outbox::Verdict carry_out_refund(Storage& storage, const PaymentService& service, const outbox::Delivery& delivery);

}  // namespace guildhall
