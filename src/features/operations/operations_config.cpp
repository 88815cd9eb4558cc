#include "features/operations/operations_config.h"

#include "base/config_values.h"

namespace guildhall {

std::vector<VariableOf<OperationsConfig>> OperationsConfig::variables() {
  return {
      {"DEPLOY_PLATFORM", "", &OperationsConfig::deploy_platform, parse_text, "Shown by `/info`."},
      {"DEPLOY_SERVICE", "guildhall", &OperationsConfig::deploy_service, parse_text, "Shown by `/info`."},
      {"DEPLOY_BRANCH", "", &OperationsConfig::deploy_branch, parse_text, "Shown by `/info`."},
      {"DEPLOY_COMMIT", "", &OperationsConfig::deploy_commit, parse_text, "Shown by `/info`."},
  };
}

}  // namespace guildhall
