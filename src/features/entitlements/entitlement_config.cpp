#include "features/entitlements/entitlement_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<EntitlementConfig>> EntitlementConfig::variables() {
  return {
      {"ENTITLEMENT_CHECK_MINUTES", "360", &EntitlementConfig::entitlement_check_minutes, integer(10, 43'200),
       "How often every member's roles are compared with the member's entitlements, 10 to 43200."},
  };
}

}  // namespace guildhall
