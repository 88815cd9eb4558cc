#include "features/slice.h"

#include "features/fund/fund_actions.h"
#include "features/fund/routes.h"

namespace guildhall {

Slice fund_slice() {
  return Slice("fund")
      .table({.name = "fund_configs",
              .other = "allowed_amounts_cents celebration_channel_id celebration_message_template "
                       "anonymous_message_template disbursement_approval_roles disclaimer_text currency"})
      .table({.name = "fund_balances", .other = "currency"})
      .table({.name = "fund_ledger", .other = "kind source customer_id order_id reason approved_by"})
      .routes(fund_routes)
      .subscribes(subscribe_fund);
}

}  // namespace guildhall
