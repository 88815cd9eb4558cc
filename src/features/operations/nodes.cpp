#include "features/operations/nodes.h"

#include <climits>
#include <unistd.h>

#include "storage/columns.h"

namespace guildhall {
namespace {

const TenantId no_tenant;  // nodes belong to the installation

std::string host_name() {
  char name[HOST_NAME_MAX + 1] = {};
  return ::gethostname(name, HOST_NAME_MAX) == 0 ? name : "unknown";
}

}  // namespace

Node make_node(std::string address, Instant now) {
  return {.tenant_id = {no_tenant},
          .node_id = make_uuid(now),
          .host = host_name(),
          .address = std::move(address),
          .version = GUILDHALL_VERSION,
          .started_at = now,
          .last_seen_at = now};
}

static const Sql put_sql(insert_into<Node>("nodes") +
                         " ON CONFLICT (tenant_id, node_id) DO UPDATE SET last_seen_at = excluded.last_seen_at");
static const Sql forget_sql("DELETE FROM nodes WHERE tenant_id = $1 AND node_id <> $2 AND last_seen_at < $3");

void announce_node(Tx& tx, const Node& node, Instant now) {
  Node seen = node;
  seen.last_seen_at = now;
  tx.run({&put_sql, values_of(seen)});
  const Instant oldest = tx.has_single_writer() ? now + std::chrono::hours(1) : now - node_kept;
  tx.run({&forget_sql, params(no_tenant, node.node_id, oldest)});
}

static const Sql remove_sql("DELETE FROM nodes WHERE tenant_id = $1 AND node_id = $2");

void remove_node(Tx& tx, const Node& node) {
  tx.run({&remove_sql, params(no_tenant, node.node_id)});
}

static const Sql node_sql(select_from<Node>("nodes") + " WHERE tenant_id = $1 AND node_id = $2");

Select<Node> node_by_id(const std::string& node_id) {
  return {{&node_sql, params(no_tenant, node_id)}, read_row<Node>};
}

static const Sql announced_sql(select_from<Node>("nodes") +
                               " WHERE tenant_id = $1 ORDER BY last_seen_at DESC LIMIT $2");

Select<Node> announced_nodes() {
  return {{&announced_sql, params(no_tenant, nodes_shown_max)}, read_row<Node>};
}

}  // namespace guildhall
