#include "app/node_announcer.h"

#include "base/instant.h"
#include "base/log.h"

namespace guildhall {
namespace {

void attempt(FunctionRef<void()> write) {
  try {
    write();
  } catch (const std::exception& error) {
    log::warn("this node could not be announced", {{"error", error.what()}});
  }
}

}  // namespace

NodeAnnouncer::NodeAnnouncer(Storage& storage, Metrics& metrics, const Node& node) : storage_(storage), node_(node) {
  const auto announce = [this] { storage_.write_now([&](Tx& tx) { announce_node(tx, node_, now()); }); };
  attempt(announce);
  if (storage.name() != "postgresql") return;
  periodic_.emplace(metrics, "node_list", node_announced_every, [announce](const JobFailures&) { announce(); });
}

NodeAnnouncer::~NodeAnnouncer() {
  periodic_.reset();
  attempt([this] { storage_.write_now([&](Tx& tx) { remove_node(tx, node_); }); });
}

}  // namespace guildhall
