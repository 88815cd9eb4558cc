#pragma once

#include <string_view>
#include <vector>

#include "app/config.h"

namespace guildhall {

// A warning about a valid configuration that should be changed.
struct ConfigWarning {
  std::string_view message;
  std::string_view advice;  // how to change it
};

std::vector<ConfigWarning> config_warnings(const Config& config);

}  // namespace guildhall
