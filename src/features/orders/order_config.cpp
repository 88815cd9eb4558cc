#include "features/orders/order_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<OrderConfig>> OrderConfig::variables() {
  return {
      {"ORDER_EXPIRY_MINUTES", "0", &OrderConfig::order_expiry_minutes, integer(0, 525'600),
       "Unpaid orders older than this are cancelled, unless their tenant has chosen otherwise; 0: never."},
  };
}

}  // namespace guildhall
