#include "features/memberships/membership_code.h"

#include "base/typed_code.h"

namespace guildhall {

std::int64_t cost_of(const NewMembershipCodes& input) {
  constexpr std::int64_t codes_a_request = 10;
  return (input.count.value + codes_a_request - 1) / codes_a_request;
}

CodeBatch::CodeBatch(const NewMembershipCodes& input, const TenantId& tenant, Instant now)
    : input_(input), tenant_(tenant), now_(now), id_(make_uuid(now)) {
  for (std::int64_t i = 0; i < input.count.value; ++i) codes_.push_back(make_typed_code());
}

MembershipCodeId CodeBatch::id(std::size_t number) const {
  constexpr std::size_t number_digits = 4;
  return MembershipCodeId(fmt::format("{}{:04x}", id_.substr(0, id_.size() - number_digits), number));
}

MembershipCode CodeBatch::record(std::size_t number) const {
  constexpr std::size_t hint_characters = 4;
  const std::string& code = codes_[number];
  MembershipCode made{.id = id(number),
                      .tenant_id = tenant_,
                      .product_id = input_.product_id,
                      .periods = input_.periods.value,
                      .status = CodeStatus::WITHDRAWN,
                      .hint = code.substr(code.size() - hint_characters),
                      .note = std::nullopt,
                      .expires_at = input_.expires_at,
                      .redeemed_at = std::nullopt,
                      .customer_id = std::nullopt,
                      .membership_id = std::nullopt,
                      .created_at = now_,
                      .updated_at = now_,
                      .version = {1},
                      .code_hash = {hash_of_typed_code(code)}};
  if (input_.note) made.note = input_.note->value;
  return made;
}

MadeCodes summary_of(const CodeBatch& batch) {
  const NewMembershipCodes& input = batch.input();
  MadeCodes made{.count = input.count.value,
                 .product_id = input.product_id,
                 .periods = input.periods.value,
                 .note = std::nullopt,
                 .expires_at = input.expires_at,
                 .first_id = batch.first_id(),
                 .last_id = batch.last_id()};
  if (input.note) made.note = input.note->value;
  return made;
}

Failure too_many_codes() {
  return bad_request("TOO_MANY_CODES",
                     fmt::format("A shop can have {} open codes. Withdraw those that are not needed.", open_codes_max));
}

Failure code_invalid() {
  return bad_request("CODE_INVALID", "This code is not valid, or it was used already.");
}

}  // namespace guildhall
