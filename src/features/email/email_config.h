#pragma once

#include <string>
#include <vector>

#include "base/config.h"

namespace guildhall {

// The configuration of outgoing emails.
struct EmailConfig {
  std::string smtp_url;  // empty: no emails are sent
  std::string smtp_from;
  std::string operations_email;  // empty: the operator gets no emails

  static std::vector<VariableOf<EmailConfig>> variables();
};

}  // namespace guildhall
