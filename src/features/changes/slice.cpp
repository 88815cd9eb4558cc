#include "features/slice.h"

#include "base/process_state.h"
#include "features/changes/changes_config.h"
#include "features/changes/routes.h"
#include "features/identity/routes.h"

namespace guildhall {
namespace {

std::unique_ptr<LiveChanges> make_live_changes(Database& db, ChangeFeed& feed, Auth& auth, const ProcessState& process,
                                               const ChangesConfig& config) {
  return std::unique_ptr<LiveChanges>(
      new LiveChanges{.db = db,
                      .feed = feed,
                      .authenticate = authenticator(auth),
                      .session_cookie = Sessions::cookie_name,
                      .draining = process.draining,
                      .heartbeat_every = std::chrono::seconds(config.change_heartbeat_seconds)});
}

}  // namespace

Slice changes_slice() {
  return Slice("changes").per_loop(make_live_changes).routes(change_routes);
}

}  // namespace guildhall
