#pragma once

#include <chrono>
#include <string>

#include "base/declared.h"
#include "storage/database.h"

// The server processes that use the database. Each announces itself at its start and every few seconds, and removes
// itself when it stops.
namespace guildhall {

constexpr std::chrono::seconds node_announced_every{20};
constexpr std::chrono::seconds node_silent_max{60};  // a node that was silent for longer counts as gone
constexpr std::chrono::hours node_kept{1};           // then its row is deleted
constexpr std::int64_t nodes_shown_max = 100;

struct Node {
  Hidden<TenantId> tenant_id;  // empty
  std::string node_id;
  std::string host;
  std::string address;  // that it listens on
  std::string version;
  Instant started_at;
  Instant last_seen_at;
};
BOOST_DESCRIBE_STRUCT(Node, (), (tenant_id, node_id, host, address, version, started_at, last_seen_at))

// This process, as it starts now.
Node make_node(std::string address, Instant now);

// Writes the node with the time of this sign of life, and deletes nodes that have been gone for long. On SQLite, which
// has one node, deletes all others.
void announce_node(Tx& tx, const Node& node, Instant now);

void remove_node(Tx& tx, const Node& node);

Select<Node> node_by_id(const std::string& node_id);

// Those that were seen last come first; at most nodes_shown_max.
Select<Node> announced_nodes();

}  // namespace guildhall
