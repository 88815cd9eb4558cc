#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/signing_keys.h"
#include "features/tenancy/installation_config.h"

namespace guildhall {

// Links with which a receiver unsubscribes from the messages of one shop without signing in. A link holds until its
// signing secret is withdrawn. Thread-safe.
class UnsubscribeLinks {
 public:
  UnsubscribeLinks(const std::vector<std::string>& secrets, const InstallationConfig& installation)
      : keys_(secrets), installation_(installation) {}

  std::string url(const TenantId& tenant, const std::string& receiver_id) const;

  struct Receiver {
    TenantId tenant;
    std::string id;
  };
  // Nothing for a token that was not signed by one of the secrets for this purpose.
  std::optional<Receiver> verify(std::string_view token) const;

 private:
  SigningKeys keys_;
  const InstallationConfig& installation_;
};

}  // namespace guildhall
