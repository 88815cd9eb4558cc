#pragma once

#include "api/call.h"
#include "features/orders/order.h"
#include "storage/database.h"

namespace guildhall {

// Throws the problems of an order's body together with those of its items, which depend on the shop's products.
// `changed` is the order that the body changes; null: a new one.
Task<> refuse_order(const api::Call& call, Database& db, std::vector<Problem> problems,
                    const OrderId* changed = nullptr);

}  // namespace guildhall
