#include "features/memberships/membership_code.h"

#include "base/typed_code.h"

namespace guildhall {

MembershipCode code_from(const NewMembershipCodes& input, const std::string& code, const TenantId& tenant,
                         Instant now) {
  constexpr std::size_t hint_characters = 4;
  MembershipCode made{.id = MembershipCodeId::make(now),
                      .tenant_id = tenant,
                      .product_id = input.product_id,
                      .periods = input.periods.value,
                      .status = CodeStatus::OPEN,
                      .hint = code.substr(code.size() - hint_characters),
                      .note = std::nullopt,
                      .expires_at = input.expires_at,
                      .redeemed_at = std::nullopt,
                      .customer_id = std::nullopt,
                      .membership_id = std::nullopt,
                      .created_at = now,
                      .updated_at = now,
                      .version = {1},
                      .code_hash = {hash_of_typed_code(code)}};
  if (input.note) made.note = input.note->value;
  return made;
}

Failure code_invalid() {
  return bad_request("CODE_INVALID", "This code is not valid, or it was used already.");
}

}  // namespace guildhall
