#include "api/resource.h"
#include "base/typed_code.h"
#include "features/memberships/membership_code_actions.h"
#include "features/memberships/membership_code_store.h"
#include "features/memberships/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

struct MadeMembershipCodes {
  std::int64_t count = 0;
  std::optional<std::vector<std::string>> codes;  // null in a reply that is sent again: they are shown once
};
BOOST_DESCRIBE_STRUCT(MadeMembershipCodes, (), (count, codes))

MembershipCodeId code_in_path(const Call& call) {
  return MembershipCodeId(call.param(0));
}

Task<Reply> post_codes(Call& call, Database& db, const Events& events) {
  const auto input = call.body<NewMembershipCodes>();
  MadeMembershipCodes made{.count = input.count.value, .codes = std::vector<std::string>()};
  for (std::int64_t i = 0; i < input.count.value; ++i) made.codes->push_back(make_typed_code());
  const Reply stored = co_await api::write_once(call, db, [&](Tx& tx) {
    create_codes({tx, events, call.tenant, call.actor(), call.now}, input, *made.codes);
    return api::json_reply(201, MadeMembershipCodes{.count = made.count, .codes = std::nullopt});
  });
  co_return api::is_replayed(stored) ? stored : api::json_reply(201, made);
}

Task<Reply> get_code(Call& call, Database& db) {
  return api::find_one(db, code_by_id(call.tenant, code_in_path(call)), "Code");
}

Task<Reply> list_codes(Call& call, Database& db) {
  return api::list_records<MembershipCodeQuery, MembershipCode>(call, db, code_listing());
}

Task<Reply> withdraw(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    withdraw_code({tx, events, call.tenant, call.actor(), call.now}, code_in_path(call), precondition);
  });
}

}  // namespace

std::vector<api::Route> membership_code_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/admin/codes", one = "/api/admin/codes/:id";
  return {
      route(Method::post, all, Access::admin, "Make codes that give a membership", post_codes, db, events)
          .takes<NewMembershipCodes>()
          .gives<MadeMembershipCodes>(201, "The codes, which are shown only now."),
      route(Method::get, all, Access::admin, "A page of codes", list_codes, db)
          .takes_query<MembershipCodeQuery>()
          .gives<api::ListPage<MembershipCode>>(200, "Newest first, without the codes themselves."),
      route(Method::get, one, Access::admin, "One code", get_code, db).gives<MembershipCode>(200, "The code's record."),
      route(Method::del, one, Access::admin, "Withdraw a code", withdraw, db, events)
          .gives(204, "It can no longer be redeemed."),
  };
}

}  // namespace guildhall
