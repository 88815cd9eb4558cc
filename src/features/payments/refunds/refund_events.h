#pragma once

#include <string_view>

#include "features/payments/refunds/refund.h"

// The events of refunds, and the payload with which they leave the process.
namespace guildhall {

// Emitted after each write of a refund. `before` is null for a new one.
struct RefundChanged {
  static constexpr std::string_view name = "refund.changed";
  const Refund* before;
  const Refund& refund;
};

// A refund may be a part of what was paid. When everything is refunded, the order is, too: OrderRefunded.
struct RefundPayload {
  std::string refund_id;
  std::string order_id;
  std::string payment_id;
  std::int64_t amount_cents = 0;
  std::string currency;
  std::string status;
  bool through_processor = false;
  std::optional<std::string> reason;
  std::optional<std::string> error;
};
BOOST_DESCRIBE_STRUCT(RefundPayload, (),
                      (refund_id, order_id, payment_id, amount_cents, currency, status, through_processor, reason,
                       error))

RefundPayload payload_of(const Refund& refund);

struct RefundCreated {
  static constexpr std::string_view name = "refund.created";
  const Refund& refund;
  RefundPayload payload() const { return payload_of(refund); }
};

// The money has been returned.
struct RefundCompleted {
  static constexpr std::string_view name = "refund.completed";
  const Refund& refund;
  RefundPayload payload() const { return payload_of(refund); }
};

// The processor has refused. The amount can be refunded again.
struct RefundFailed {
  static constexpr std::string_view name = "refund.failed";
  const Refund& refund;
  RefundPayload payload() const { return payload_of(refund); }
};

}  // namespace guildhall
