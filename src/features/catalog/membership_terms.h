#pragma once

#include <optional>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"

// The terms of a product that is a membership: its roles are granted for a time. Pure: no clock, no database.
namespace guildhall {

enum class MembershipRenewal {
  manual,   // reminders say how to renew
  invoice,  // the first reminder comes with an order and a link to its invoice
};
BOOST_DESCRIBE_ENUM(MembershipRenewal, manual, invoice)

constexpr std::size_t reminders_max = 10;

struct MembershipTerms {
  std::optional<Bounded<1, 3660>> period_days;   // either this
  std::optional<Bounded<1, 120>> period_months;  // or this
  Default<Bounded<0, 365>> trial_days{{0}};      // 0: there is no trial
  Default<Bounded<0, 90>> grace_days{{0}};       // the roles are taken this long after the end
  Default<MembershipRenewal> renewal{MembershipRenewal::manual};
  Default<std::vector<Bounded<1, 365>>> reminder_days{{{7}, {1}}};  // before the end
  std::optional<Key> group;  // a member has one membership of a group: buying another one changes the plan
};
BOOST_DESCRIBE_STRUCT(MembershipTerms, (),
                      (period_days, period_months, trial_days, grace_days, renewal, reminder_days, group))

// Adds the rules that concern several members.
template <>
struct Codec<MembershipTerms> : PlainCodec {
  static void decode(JsonValue value, MembershipTerms& out, Decoder& decoder);
  static void encode(std::string& out, const MembershipTerms& terms) {
    encode_object(out, &terms, fields_of<MembershipTerms>());
  }
  static void schema(Schema& schema) {
    schema.component(detail::type_name<MembershipTerms>(), fields_of<MembershipTerms>());
  }
};

}  // namespace guildhall
