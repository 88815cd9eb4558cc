#pragma once

#include "features/chat/bot.h"
#include "features/chat/cart.h"

namespace guildhall::chat {

struct CartOrder {
  Order order;
  std::string invoice_url;  // empty: links cannot be made here
};

// The order of the member's cart, placed now unless it has been. Throws bad_request with a sentence for the member when
// it cannot be ordered (any more): sold out, another price, a discount that is over; out-of-date carts are not found.
CartOrder place_cart_order(Tx& tx, const Bot& bot, const CommandContext& context, const std::string& cart_id);

}  // namespace guildhall::chat
