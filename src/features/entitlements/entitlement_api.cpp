#include "features/entitlements/entitlement_api.h"

#include "features/entitlements/chat_roles.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/entitlement_store.h"
#include "http/page.h"
#include "http/write_once.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

constexpr std::int64_t checks_a_call_max = 10'000;

struct QueuedChecks {
  std::int64_t queued = 0;
};
BOOST_DESCRIBE_STRUCT(QueuedChecks, (), (queued))

EntitlementId id_of(const Call& call) {
  return EntitlementId(call.param(0));
}

Task<Reply> create(Call& call, Database& db, const Events& events) {
  const auto input = call.body<NewEntitlement>();
  const Actor actor = call.actor();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(201, create_entitlement({tx, events, call.tenant, actor, call.now}, input));
  });
}

Task<Reply> find(Call& call, Database& db) {
  const auto entitlement = co_await db.one(entitlement_by_id(call.tenant, id_of(call)));
  if (!entitlement) throw not_found("Entitlement");
  co_return http::record_reply(200, *entitlement);
}

Task<Reply> list(Call& call, Database& db) {
  const auto query = call.query<http::ListQuery>();
  auto rows = co_await db.all(entitlements_after(call.tenant, http::position_of(query), query.size() + 1));
  co_return http::json_reply(200, http::page_of(std::move(rows), query.size()));
}

Task<Reply> patch(Call& call, Database& db, const Events& events) {
  const auto changes = call.body<EntitlementPatch>();
  const Actor actor = call.actor();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::record_reply(
        200, change_entitlement({tx, events, call.tenant, actor, call.now}, id_of(call), [&](Entitlement& entitlement) {
          call.require_match(entitlement.version);
          apply(changes, entitlement, call.now);
        }));
  });
}

Task<Reply> erase(Call& call, Database& db, const Events& events) {
  const Actor actor = call.actor();
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    delete_entitlement({tx, events, call.tenant, actor, call.now}, id_of(call),
                       [&](const Entitlement& entitlement) { call.require_match(entitlement.version); });
    return http::no_content();
  });
}

Task<Reply> reconcile(Call& call, Database& db) {
  co_return co_await http::write_once(call, db, [&](Tx& tx) {
    return http::json_reply(200, QueuedChecks{queue_checks(tx, call.tenant, call.now + std::chrono::milliseconds(1),
                                                           call.now, checks_a_call_max)});
  });
}

}  // namespace

std::vector<http::Route> entitlement_routes(Database& db, const Events& events) {
  constexpr std::string_view all = "/api/data/entitlement", one = "/api/data/entitlement/:id";
  return {
      route(Method::post, all, Access::data_write, "Give somebody an entitlement by hand", create, db, events)
          .takes<NewEntitlement>()
          .gives<Entitlement>(201, "The new entitlement; a PENDING role is carried out by and by."),
      route(Method::get, all, Access::data_read, "A page of entitlements", list, db)
          .takes_query<http::ListQuery>()
          .gives<http::Page<Entitlement>>(200, "Newest first."),
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
