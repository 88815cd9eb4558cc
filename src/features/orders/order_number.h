#pragma once

#include <string>

#include "base/ids.h"
#include "storage/database.h"

// The numbers of orders that the server makes: those of the bot and of renewed memberships.
namespace guildhall {

// A random order number of ten letters and digits, without those that look alike: `K7M2P-9QXWD`.
std::string make_order_number();

// Announces what next_order_number() reads (Tx::read_ahead).
void order_number_ahead(Tx& tx, const TenantId& tenant);

// The next number after the shop's prefix that no order has, such as `LG-1421`; a random one if the shop has no prefix.
// A number is used up with the commit. The caller's place_order may still throw ORDER_NUMBER_TAKEN, because somebody
// may create an order with this number by hand at the same time.
std::string next_order_number(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
