#pragma once

#include "features/chat/bot.h"
#include "features/chat/cart.h"

namespace guildhall::chat {

struct CartOrder {
  Order order;
  std::string invoice_url;  // empty if this server cannot sign links, or nothing is due
};

// Returns the order of the member's cart, and places it first if there is none. Throws bad_request with a sentence for
// the member if the cart cannot be ordered (sold out, price changed, discount ended), and not_found if it has expired.
CartOrder place_cart_order(Tx& tx, const Bot& bot, const CommandContext& context, const std::string& cart_id);

}  // namespace guildhall::chat
