#pragma once

#include "features/payments/payment.h"

// Money that goes back. Pure.
namespace guildhall {

enum class RefundStatus {
  PENDING,  // reserved; the processor is being asked
  DONE,
  FAILED,  // the processor refuses; nothing is reserved any more
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
  bool through_processor = false;  // false: recorded only, somebody returns the money by hand
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
  std::optional<Bounded<1, Cents::value_max>> amount_cents;  // all that is left, without one
  std::optional<Text<1000>> reason;
};
BOOST_DESCRIBE_STRUCT(RefundInput, (), (amount_cents, reason))

// How much of which payment goes back: flagged ones first, then the newest; none gives more than it still holds. With
// an amount only payments in the order's currency count. Throws NOTHING_TO_REFUND, REFUND_EXCEEDS_PAYMENT.
struct RefundShare {
  std::size_t payment = 0;  // index
  Cents amount;
};
std::vector<RefundShare> share_refund(const std::vector<Payment>& payments, std::optional<Cents> amount,
                                      std::string_view currency);

Cents left_of(const Payment& payment);

// 400 REFUND_NOT_POSSIBLE: the processor cannot be asked for the money, so that somebody has to return it by hand.
Failure refund_not_possible(std::string_view reason);

}  // namespace guildhall
