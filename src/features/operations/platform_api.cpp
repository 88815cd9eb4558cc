#include "api/idempotency.h"
#include "features/action.h"
#include "features/operations/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::int64_t examinations_per_minute = 20;  // from one address
constexpr std::int64_t backups_per_minute = 6;        // from one address

struct ShownNode {
  std::string id;
  std::string host;
  std::string address;
  std::string version;
  Instant started_at;
  Instant last_seen_at;
  bool is_alive = false;
  bool is_this_node = false;
};
BOOST_DESCRIBE_STRUCT(ShownNode, (), (id, host, address, version, started_at, last_seen_at, is_alive, is_this_node))

struct NodeList {
  std::vector<ShownNode> items;
};
BOOST_DESCRIBE_STRUCT(NodeList, (), (items))

struct DoctorQuery {
  Default<bool> online{false};
};
BOOST_DESCRIBE_STRUCT(DoctorQuery, (), (online))

// The node that answers has been seen just now, whatever is stored.
ShownNode shown(const Node& node, const Node& own, Instant now) {
  const bool is_own = node.node_id == own.node_id;
  const Instant seen = is_own ? now : node.last_seen_at;
  return {.id = node.node_id,
          .host = node.host,
          .address = node.address,
          .version = node.version,
          .started_at = node.started_at,
          .last_seen_at = seen,
          .is_alive = seen + node_silent_max >= now,
          .is_this_node = is_own};
}

Task<Reply> nodes(Call& call, const Platform& platform) {
  NodeList list;
  for (const Node& node : co_await platform.db.all(announced_nodes())) {
    list.items.push_back(shown(node, platform.tools.node, call.now));
  }
  co_return api::json_reply(200, list);
}

Task<Reply> doctor(Call& call, const Platform& platform) {
  const bool online = call.query<DoctorQuery>().online;
  const auto report = co_await platform.workers.run([&] { return platform.tools.examine(online); }, call.source());
  co_return api::json_reply(200, report).with("Cache-Control", "no-store");
}

Task<Reply> backups(Call& call, const Platform& platform) {
  const auto list = co_await platform.workers.run([&] { return platform.tools.list_backups(); }, call.source());
  co_return api::json_reply(200, list);
}

Task<Reply> request_backup(Call& call, const Platform& platform) {
  const Reply reply = co_await api::write_once(call, platform.db, [&](Tx& tx) {
    action_of(call, tx).audit({"backup", "requested"}, "requested");
    return Reply{.status = 202, .content_type = ""};
  });
  if (!api::is_replayed(reply)) co_await platform.workers.run([&] { platform.tools.start_backup(); }, call.source());
  co_return reply;
}

}  // namespace

std::vector<api::Route> platform_routes(const Platform& platform) {
  return {
      route(Method::get, "/api/admin/platform/nodes", Access::platform_admin, "The server processes", nodes, platform)
          .gives<NodeList>(200, "The nodes; those that were seen last come first."),
      route(Method::get, "/api/admin/platform/doctor", Access::platform_admin, "Check the installation", doctor,
            platform)
          .limited({.endpoint = "doctor", .per_minute = examinations_per_minute})
          .takes_query<DoctorQuery>()
          .gives<DoctorReport>(200, "The findings."),
      route(Method::get, "/api/admin/platform/backups", Access::platform_admin, "The backups in BACKUP_DIR", backups,
            platform)
          .gives<BackupList>(200, "The newest backups."),
      route(Method::post, "/api/admin/platform/backups", Access::platform_admin, "Make a backup now", request_backup,
            platform)
          .by_person()
          .limited({.endpoint = "backup", .per_minute = backups_per_minute})
          .gives(202, "The backup is made in the background."),
  };
}

}  // namespace guildhall
