#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/crypto.h"
#include "base/ids.h"

namespace guildhall::chat {

// The step of a conversation to which a button, a select or a modal leads.
struct Step {
  std::string name;
  std::string argument{};  // an id or a position; contains no dot
};

// The member for whom a component was made.
struct Addressee {
  const TenantId& tenant;
  const std::string& user_id;
};

// Signs the custom ids of components, because they come back from members' clients: `name.argument.expiry.signature`.
// verify() returns nothing for an id of another member or shop, and for one that has expired or was forged. It does not
// say which, so that nothing can be learned by trying.
class CustomIds {
 public:
  explicit CustomIds(std::string_view secret);

  std::string sign(const Step& step, const Addressee& addressee, Instant now) const;
  std::optional<Step> verify(std::string_view custom_id, const Addressee& addressee, Instant now) const;

 private:
  std::string signature(std::string_view signed_part, const Addressee& addressee) const;

  HmacSha256 key_;
};

// The time for which the components of a message can be used.
constexpr std::chrono::hours component_lifetime{1};

}  // namespace guildhall::chat
