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
  std::optional<CustomerId> customer_id;  // the customer who redeemed it
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

// As how many requests a request for codes counts.
std::int64_t cost_of(const NewMembershipCodes& input);

constexpr std::int64_t open_codes_max = 100'000;  // of a tenant

// The codes of one request. They are stored in portions, as WITHDRAWN, and opened together at the end, so that a
// request that fails in between leaves no code that can be redeemed.
class CodeBatch {
 public:
  CodeBatch(const NewMembershipCodes& input, const TenantId& tenant, Instant now);

  const NewMembershipCodes& input() const { return input_; }
  const TenantId& tenant() const { return tenant_; }
  const std::vector<std::string>& codes() const { return codes_; }

  // The ids of a batch have a random beginning in common and end with the number of the code, so that they are a range.
  MembershipCodeId id(std::size_t number) const;
  MembershipCodeId first_id() const { return id(0); }
  MembershipCodeId last_id() const { return id(codes_.size() - 1); }

  MembershipCode record(std::size_t number) const;

 private:
  NewMembershipCodes input_;
  TenantId tenant_;
  Instant now_;
  std::string id_;
  std::vector<std::string> codes_;
};

// A batch in the audit trail.
struct MadeCodes {
  std::int64_t count = 0;
  ProductId product_id;
  std::int64_t periods = 1;
  std::optional<std::string> note;
  std::optional<Instant> expires_at;
  MembershipCodeId first_id;
  MembershipCodeId last_id;
};
BOOST_DESCRIBE_STRUCT(MadeCodes, (), (count, product_id, periods, note, expires_at, first_id, last_id))

MadeCodes summary_of(const CodeBatch& batch);

Failure too_many_codes();

// The same for a code that is unknown, used, withdrawn or expired, so that nothing can be learned by trying.
Failure code_invalid();

}  // namespace guildhall
