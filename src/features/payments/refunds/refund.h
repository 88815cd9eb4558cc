#pragma once

#include "features/payments/payment.h"

// Refunds, and the rule that splits a refund between an order's payments. Pure.
namespace guildhall {

enum class RefundStatus {
  PENDING,  // the amount is reserved; the processor is being asked
  DONE,
  FAILED,  // the processor refused; the reservation has ended
};
BOOST_DESCRIBE_ENUM(RefundStatus, PENDING, DONE, FAILED)

struct Refund {
  RefundId id;
  Hidden<TenantId> tenant_id;
  OrderId order_id;
  PaymentId payment_id;
  Cents amount_cents;
  std::string currency;
  RefundStatus status = RefundStatus::PENDING;
  bool through_processor = false;  // false: only recorded; the shop returns the money by hand
  std::optional<std::string> provider_refund_id;
  std::optional<std::string> reason;
  std::optional<std::string> error;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(Refund, (),
                      (id, tenant_id, order_id, payment_id, amount_cents, currency, status, through_processor,
                       provider_refund_id, reason, error, created_at, updated_at, version))

struct RefundInput {
  std::optional<Bounded<1, Cents::value_max>> amount_cents;  // default: everything that has not been refunded
  std::optional<Text<1000>> reason;
  std::optional<Text<200>> payment_id;  // only from this payment of the order
};
BOOST_DESCRIBE_STRUCT(RefundInput, (), (amount_cents, reason, payment_id))

// The part of a refund that one payment returns.
struct RefundShare {
  std::size_t payment = 0;  // index
  Cents amount;
};
// Splits a refund: flagged payments first, then the newest; none returns more than its refundable amount. With an
// amount only payments in the order's currency count. Throws NOTHING_TO_REFUND, REFUND_EXCEEDS_PAYMENT.
std::vector<RefundShare> split_refund(const std::vector<Payment>& payments, std::optional<Cents> amount,
                                      std::string_view currency);

// The amount that was received and has not been refunded or reserved for a refund.
Cents refundable_amount(const Payment& payment);

// 400 REFUND_NOT_POSSIBLE: the processor cannot be asked, so the shop has to return the money by hand.
Failure refund_not_possible(std::string_view reason);

}  // namespace guildhall
