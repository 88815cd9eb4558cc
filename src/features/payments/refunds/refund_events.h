#pragma once

#include <string_view>

#include "features/payments/refunds/refund.h"

// The event of refunds. It does not leave the process.
namespace guildhall {

// Emitted after each write of a refund. `before` is null for a new one.
struct RefundChanged {
  static constexpr std::string_view name = "refund.changed";
  const Refund* before;
  const Refund& refund;
};

}  // namespace guildhall
