#pragma once

#include <optional>

#include "app/periodic.h"
#include "features/operations/nodes.h"
#include "storage/storage.h"

namespace guildhall {

// Keeps this process in the list of nodes for as long as it lives. A database that does not answer only makes the list
// inaccurate.
class NodeAnnouncer {
 public:
  NodeAnnouncer(Storage& storage, Metrics& metrics, const Node& node);
  ~NodeAnnouncer();

 private:
  Storage& storage_;
  const Node& node_;
  std::optional<Periodic> periodic_;  // not on SQLite, which has one node: it would write while nothing happens
};

}  // namespace guildhall
