#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/crypto.h"
#include "base/ids.h"

namespace guildhall::chat {

// What a button, a select or a modal of ours leads to.
struct Step {
  std::string name;
  std::string argument{};  // an id or a position; without dots
};

// For whom it was made.
struct Addressee {
  const TenantId& tenant;
  const std::string& user_id;
};

// Signs the custom ids that come back to us from members' clients: `name.argument.expiry.signature`. One that is
// another member's, another shop's, too old or made up is simply not good; nobody learns which.
class CustomIds {
 public:
  explicit CustomIds(std::string_view secret);

  std::string sign(const Step& step, const Addressee& addressee, Instant now) const;
  std::optional<Step> verify(std::string_view custom_id, const Addressee& addressee, Instant now) const;

 private:
  std::string signature(std::string_view signed_part, const Addressee& addressee) const;

  HmacSha256 key_;
};

// How long the components of a message can be used.
constexpr std::chrono::hours components_live{1};

}  // namespace guildhall::chat
