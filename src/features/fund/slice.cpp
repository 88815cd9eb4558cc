#include "features/slice.h"

#include "features/fund/fund_actions.h"
#include "features/fund/routes.h"

namespace guildhall {

Slice fund_slice() {
  return Slice("fund").routes(fund_routes).subscribes(subscribe_fund);
}

}  // namespace guildhall
