#include "features/orders/order_body.h"

#include "api/resource.h"
#include "features/orders/order_actions.h"

namespace guildhall {

Task<> refuse_order(const api::Call& call, Database& db, std::vector<Problem> problems, const OrderId* changed) {
  const auto body = call.partial_body<OrderedItems>();
  const bool currency_known =
      std::ranges::none_of(body.problems, [](const Problem& problem) { return problem.field == "currency"; });
  co_await api::refuse_body(db, problems,
                            [&](Tx& tx) { check_items(tx, call.tenant, body.value, currency_known, changed); });
}

}  // namespace guildhall
