#pragma once

#include "features/chat/bot.h"
#include "features/chat/cart.h"

// The checkout of a cart: the member chooses a payment method, the cart becomes an order, and the answer says how to
// pay.
namespace guildhall::chat {

// A cart with one piece of a product, at the price that the member has seen.
Cart new_cart(const CommandContext& context, const ProductId& product, Cents unit_price, Currency currency);

// Stores the cart, shows its exact total and asks for a payment method. `what` names the cart's contents. Throws
// bad_request with a sentence for the member if the cart cannot be ordered (not for sale any more, no such discount).
Task<Answer> ask_payment(const Bot& bot, const CommandContext& context, Cart cart, const std::string& what);

// The order that the cart would become, priced and discounted. Writes nothing. Throws as place_cart_order does, except
// that it looks at no stock.
Order quote_cart(Tx& tx, const CommandContext& context, const Cart& cart);

struct CartOrder {
  Order order;
  std::string invoice_url;  // empty if this server cannot sign links, or nothing is due
};

// Returns the order of the member's cart, and places it first if there is none. Throws bad_request with a sentence for
// the member if the cart cannot be ordered (sold out, price changed, discount ended), and not_found if it has expired.
CartOrder place_cart_order(Tx& tx, const Bot& bot, const CommandContext& context, const std::string& cart_id);

}  // namespace guildhall::chat
