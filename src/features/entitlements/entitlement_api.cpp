#include "api/resource.h"
#include "features/action.h"
#include "features/catalog/offered_roles.h"
#include "features/entitlements/chat_roles.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/entitlement_store.h"
#include "features/entitlements/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t checks_a_call_max = 10'000;

struct QueuedChecks {
  std::int64_t queued = 0;
};
BOOST_DESCRIBE_STRUCT(QueuedChecks, (), (queued))

EntitlementId id_of(const Call& call) {
  return EntitlementId(call.param(0));
}

void require_offered_role(Tx& tx, const Call& call, const std::string& role) {
  require_offered_roles(tx, *call.caller, call.tenant, std::span(&role, 1));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  return api::create_one<NewEntitlement>(call, db, [&](Tx& tx, const NewEntitlement& input) {
    if (input.role_id) require_offered_role(tx, call, input.role_id->value);
    return create_entitlement(action_of(call, tx, events), input);
  });
}

Task<Reply> find(Call& call, Database& db) {
  return api::find_one(db, entitlement_by_id(call.tenant, id_of(call)), "Entitlement");
}

Task<Reply> list(Call& call, Database& db) {
  return api::list_records<EntitlementQuery, Entitlement>(call, db, entitlement_listing());
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  return api::patch_one<EntitlementPatch>(call, db, [&](Tx& tx, const auto& edit) {
    return change_entitlement(action_of(call, tx, events), id_of(call), [&](Entitlement& record) {
      const auto before = member_role_of(record);
      edit(record);
      const auto after = member_role_of(record);
      if (after && after != before) require_offered_role(tx, call, after->role_id);
    });
  });
}

Task<Reply> erase(Call& call, Database& db, const Events& events) {
  return api::delete_one(call, db, [&](Tx& tx, const auto& precondition) {
    delete_entitlement(action_of(call, tx, events), id_of(call), precondition);
  });
}

Task<Reply> reconcile(Call& call, Database& db) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::json_reply(200, QueuedChecks{queue_checks(tx, call.tenant, call.now + std::chrono::milliseconds(1),
                                                          call.now, checks_a_call_max)});
  });
}

}  // namespace

std::vector<api::Route> entitlement_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/entitlement", one = "/api/data/entitlement/:id";
  return {
      route(Method::post, all, Access::data_write, "Give somebody an entitlement by hand", create, db, events)
          .takes<NewEntitlement>()
          .gives<Entitlement>(201, "The new entitlement; a PENDING role is carried out by and by."),
      route(Method::get, all, Access::data_read, "A page of entitlements", list, db)
          .takes_query<EntitlementQuery>()
          .gives<api::ListPage<Entitlement>>(200, "Newest first."),
      route(Method::get, one, Access::data_read, "One entitlement", find, db)
          .gives<Entitlement>(200, "The entitlement, with its last attempt and what came of it."),
      route(Method::patch, one, Access::data_write, "Change an entitlement", patch, db, events)
          .takes<EntitlementPatch>()
          .gives<Entitlement>(200, "The changed entitlement."),
      route(Method::del, one, Access::data_write, "Delete an entitlement", erase, db, events)
          .gives(204, "It is gone; a role that nothing else entitles to is taken away."),
      route(Method::post, "/api/admin/entitlements/reconcile", Access::admin,
            "Compare members' roles on the chat server with what they should be, now", reconcile, db)
          .gives<QueuedChecks>(200, "How many members will be looked at."),
  };
}

}  // namespace guildhall
