#pragma once

#include <string_view>

#include "features/payments/payment.h"

// The event of payments. It does not leave the process.
namespace guildhall {

// Emitted after each write of a payment by an action. `before` is null for a new one.
struct PaymentChanged {
  static constexpr std::string_view name = "payment.changed";
  const Payment* before;
  const Payment& payment;
};

}  // namespace guildhall
