#include "api/resource.h"
#include "features/action.h"
#include "features/memberships/membership_actions.h"
#include "features/memberships/membership_store.h"
#include "features/memberships/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

MembershipId id_of(const Call& call) {
  return MembershipId(call.param(0));
}

Task<Reply> get_membership(Call& call, Database& db) {
  return api::find_one(db, membership_by_id(call.tenant, id_of(call)), "Membership");
}

Task<Reply> list_memberships(Call& call, Database& db) {
  return api::list_records<MembershipQuery, Membership>(call, db, membership_listing());
}

Task<Reply> list_periods(Call& call, Database& db) {
  const auto query = call.query<api::ListQuery>();
  if (!co_await db.one(membership_by_id(call.tenant, id_of(call)))) throw not_found("Membership");
  const auto after = [&](const Position& position, std::int64_t rows) {
    return periods_after(call.tenant, id_of(call), position, rows);
  };
  const auto position_of = [](const MembershipPeriod& period) { return Position{period.paid_at, period.id.text()}; };
  co_return co_await api::read_page(db, query, after, position_of);
}

Task<Reply> change(Call& call, Database& db, const Events& events, MembershipChangeKind kind) {
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    return change_membership(action_of(call, tx, events), id_of(call), kind,
                             [&](const Membership& membership) { call.require_match(membership.version); });
  });
}

Task<Reply> patch_membership(Call& call, Database& db, const Events& events) {
  return api::patch_one<MembershipPatch>(call, db, [&](Tx& tx, const auto& edit) {
    return describe_membership(action_of(call, tx, events), id_of(call), edit);
  });
}

struct PlanChange {
  ProductId product_id;
};
BOOST_DESCRIBE_STRUCT(PlanChange, (), (product_id))

Task<Reply> set_plan(Call& call, Database& db, const Events& events) {
  const auto input = call.body<PlanChange>();
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    return change_plan(action_of(call, tx, events), id_of(call), input.product_id,
                       [&](const Membership& membership) { call.require_match(membership.version); });
  });
}

Task<Reply> cancel(Call& call, Database& db, const Events& events) {
  return change(call, db, events, MembershipChangeKind::CANCELLED);
}

Task<Reply> pause(Call& call, Database& db, const Events& events) {
  return change(call, db, events, MembershipChangeKind::PAUSED);
}

Task<Reply> resume(Call& call, Database& db, const Events& events) {
  return change(call, db, events, MembershipChangeKind::RESUMED);
}

}  // namespace

std::vector<api::Route> membership_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/admin/memberships", one = "/api/admin/memberships/:id";
  return {
      route(Method::get, all, Access::admin, "A page of memberships", list_memberships, db)
          .takes_query<MembershipQuery>()
          .gives<api::ListPage<Membership>>(200, "Newest first."),
      route(Method::get, one, Access::admin, "One membership", get_membership, db)
          .gives<Membership>(200, "The membership."),
      route(Method::patch, one, Access::admin, "Change the metadata of a membership", patch_membership, db, events)
          .takes<MembershipPatch>()
          .gives<Membership>(200, "The changed membership."),
      route(Method::get, "/api/admin/memberships/:id/periods", Access::admin, "What was paid for a membership",
            list_periods, db)
          .takes_query<api::ListQuery>()
          .gives<api::Page<MembershipPeriod>>(200, "Newest first."),
      route(Method::post, "/api/admin/memberships/:id/cancel", Access::admin, "Cancel a membership at its end", cancel,
            db, events)
          .gives<Membership>(200, "The cancelled membership."),
      route(Method::post, "/api/admin/memberships/:id/pause", Access::admin, "Pause a membership", pause, db, events)
          .gives<Membership>(200, "The paused membership."),
      route(Method::post, "/api/admin/memberships/:id/resume", Access::admin, "Resume a paused membership", resume, db,
            events)
          .gives<Membership>(200, "The membership, with its new end."),
      route(Method::post, "/api/admin/memberships/:id/plan", Access::admin, "Change the plan of a membership", set_plan,
            db, events)
          .takes<PlanChange>()
          .gives<Membership>(200, "The membership, with its new plan and end."),
  };
}

}  // namespace guildhall
