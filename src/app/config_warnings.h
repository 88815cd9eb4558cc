#pragma once

#include <string_view>
#include <vector>

#include "app/config.h"

namespace guildhall {

// A configuration that works but should not stay like this.
struct ConfigWarning {
  std::string_view message;
  std::string_view advice;
};

std::vector<ConfigWarning> config_warnings(const Config& config);

}  // namespace guildhall
