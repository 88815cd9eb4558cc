#pragma once

#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of the routes for operators.
struct OperationsConfig {
  std::string deploy_platform, deploy_service, deploy_branch, deploy_commit;  // shown by /info

  static std::vector<VariableOf<OperationsConfig>> variables();
};

}  // namespace guildhall
