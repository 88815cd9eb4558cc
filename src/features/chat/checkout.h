#pragma once

#include "features/chat/bot.h"
#include "features/chat/cart.h"

// From a full cart to a paid order: which way to pay, the order, and how it is paid.
namespace guildhall::chat {

namespace steps {
constexpr std::string_view pay = "pay";  // argument: a cart; chosen: a payment method
}  // namespace steps

// One of a product, at a price that the member has seen.
Cart new_cart(const CommandContext& context, const ProductId& product, Cents unit_price, Currency currency);

// Keeps the cart and asks how it shall be paid. `what` names its contents.
Task<Answer> ask_payment(const Bot& bot, const CommandContext& context, const Cart& cart, const std::string& what);

// Orders the cart, once, and says how to pay it.
Task<Answer> order_cart(const Bot& bot, const CommandContext& context, const Step& step);

}  // namespace guildhall::chat
