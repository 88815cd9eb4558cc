#pragma once

#include "features/memberships/membership.h"

// Codes that give a membership, once. Pure: no clock, no database.
namespace guildhall {

enum class CodeStatus { OPEN, REDEEMED, WITHDRAWN };
BOOST_DESCRIBE_ENUM(CodeStatus, OPEN, REDEEMED, WITHDRAWN)

// The code itself is shown once, when it is made; only its hash is stored.
struct MembershipCode {
  MembershipCodeId id;
  TenantId tenant_id;
  ProductId product_id;
  std::int64_t periods = 1;
  CodeStatus status = CodeStatus::OPEN;
  std::string hint;  // its last characters
  std::optional<std::string> note;
  std::optional<Instant> expires_at;
  std::optional<Instant> redeemed_at;
  std::optional<CustomerId> customer_id;  // who has redeemed it
  std::optional<MembershipId> membership_id;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::string> code_hash;
};
BOOST_DESCRIBE_STRUCT(MembershipCode, (),
                      (id, tenant_id, product_id, periods, status, hint, note, expires_at, redeemed_at, customer_id,
                       membership_id, created_at, updated_at, version, code_hash))

struct NewMembershipCodes {
  ProductId product_id;
  Bounded<1, 1000> count;
  Default<Bounded<1, 120>> periods{{1}};
  std::optional<Text<200>> note;
  std::optional<Instant> expires_at;
};
BOOST_DESCRIBE_STRUCT(NewMembershipCodes, (), (product_id, count, periods, note, expires_at))

MembershipCode code_from(const NewMembershipCodes& input, const std::string& code, const TenantId& tenant, Instant now);

// The same for a code that is unknown, used, withdrawn or expired, so that nothing can be learned by trying.
Failure code_invalid();

}  // namespace guildhall
