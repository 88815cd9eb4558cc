#pragma once

#include "features/chat/answer.h"
#include "features/payments/payment_service.h"

// How an order is paid, told to its buyer. Pure.
namespace guildhall::chat {

// Send coins to an address, or go to the processor's page.
Message deposit_message(const Order& order, const Checkout& checkout, const Deposit& deposit, std::string_view locale,
                        Instant now);

// Go to the processor's page.
Message checkout_message(const Order& order, PaymentMethod method, const Checkout& checkout, std::string_view locale);

// Between people, as the shop explains it.
Message manual_message(const Order& order, PaymentMethod method, const std::string& instructions,
                       std::string_view locale);

// The processor does not answer. `invoice_url` may be empty.
Message pay_later_message(const Order& order, const std::string& invoice_url, std::string_view locale);

// The order is paid, cancelled, or its payment is under way.
Message nothing_due(const Order& order);

}  // namespace guildhall::chat
