#include "features/catalog/offered_roles.h"
#include "features/entitlements/chat_roles.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/entitlement_store.h"
#include "features/entitlements/routes.h"
#include "features/resource.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t checks_a_call_max = 10'000;

struct QueuedChecks {
  std::int64_t queued = 0;
};
BOOST_DESCRIBE_STRUCT(QueuedChecks, (), (queued))

void require_offered_role(Tx& tx, const Call& call, const std::string& role) {
  require_offered_roles(tx, *call.caller, call.tenant, std::span(&role, 1));
}

void check_new_entitlement(Tx& tx, const Call& call, const NewEntitlement& input) {
  if (input.record.role_id) require_offered_role(tx, call, *input.record.role_id);
}

void edit_entitlement(Tx& tx, const Call& call, Entitlement& record, FunctionRef<void(Entitlement&)> apply_patch) {
  const auto before = member_role_of(record);
  apply_patch(record);
  const auto after = member_role_of(record);
  if (after && after != before) require_offered_role(tx, call, after->role_id);
}

constexpr Resource<NewEntitlement, EntitlementPatch, EntitlementQuery> entitlement_resource{
    .path = "/api/data/entitlement",
    .noun = "entitlement",
    .records = entitlement_records,
    .listing = entitlement_listing,
    .create = create_entitlement,
    .change = change_entitlement,
    .erase = delete_entitlement,
    .before_create = check_new_entitlement,
    .edit = edit_entitlement,
    .texts = {.create = "Give somebody an entitlement by hand",
              .created = "The new entitlement; a PENDING role is carried out by and by.",
              .list = "A page of entitlements",
              .page = "Newest first.",
              .found = "The entitlement, with its last attempt and what came of it.",
              .erased = "It is gone; a role that nothing else entitles to is taken away."},
};

Task<Reply> reconcile(Call& call, Database& db) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    return api::json_reply(200, QueuedChecks{queue_checks(tx, call.tenant, call.now + std::chrono::milliseconds(1),
                                                          call.now, checks_a_call_max)});
  });
}

}  // namespace

std::vector<api::Route> entitlement_routes(Database& db, const Events& events) {
  std::vector<api::Route> routes = entitlement_resource.routes(db, events);
  routes.push_back(route(Method::post, "/api/admin/entitlements/reconcile", Access::admin,
                         "Compare members' roles on the chat server with what they should be, now", reconcile, db)
                       .gives<QueuedChecks>(200, "How many members will be looked at."));
  return routes;
}

}  // namespace guildhall
