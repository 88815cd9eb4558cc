#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  // The first secret signs, all verify.
  explicit CustomIds(const std::vector<std::string>& secrets);

  std::string sign(const Step& step, const Addressee& addressee, Instant now) const;
  std::optional<Step> verify(std::string_view custom_id, const Addressee& addressee, Instant now) const;

 private:
  std::deque<HmacSha256> keys_;
};

// The time for which the components of a message can be used.
constexpr std::chrono::hours component_lifetime{1};

}  // namespace guildhall::chat
