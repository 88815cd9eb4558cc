#pragma once

#include "features/chat/answer.h"
#include "features/payments/payment_service.h"

// Messages that say how to pay an order. Pure.
namespace guildhall::chat {

// Names the address to which coins are sent, and links to the processor's page.
Message deposit_message(const Order& order, const Checkout& checkout, const Deposit& deposit, std::string_view locale,
                        Instant now);

// Links to the processor's page.
Message checkout_message(const Order& order, PaymentMethod method, const Checkout& checkout, std::string_view locale);

// For a method without a processor: shows the shop's instructions.
Message manual_message(const Order& order, PaymentMethod method, const std::string& instructions,
                       std::string_view locale);

// For a processor that does not answer. `invoice_url` may be empty.
Message pay_later_message(const Order& order, const std::string& invoice_url, std::string_view locale);

// For an order that is paid, cancelled or refunded, or whose payment is being processed.
Message nothing_due(const Order& order);

}  // namespace guildhall::chat
