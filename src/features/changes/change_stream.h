#pragma once

#include <boost/asio/basic_waitable_timer.hpp>
#include <memory>

#include "api/api.h"
#include "features/changes/change_feed.h"
#include "storage/database.h"

namespace guildhall {

// The objects that streams need. One for each loop; it outlives the streams.
struct LiveChanges {
  Database& db;
  ChangeFeed& feed;
  api::Authenticate authenticate;
  const std::atomic<bool>& draining;
  std::chrono::seconds heartbeat_every;
};

// One client's stream of changes. It is used on its loop's thread only.
class ChangeStream : public std::enable_shared_from_this<ChangeStream> {
 public:
  using Executor = boost::asio::io_context::executor_type;

  // The stream begins after `from`, which is at or before the end of the tenant's sealed audit trail.
  static std::shared_ptr<ChangeStream> open(LiveChanges& changes, const Executor& loop, const api::Call& call,
                                            http::Quota::Hold place, const ChangePosition& from);

  // Appends the next events; waits until there are any. Returns false at the end of the stream.
  Task<bool> next(std::string& piece);

  // Makes next() return false.
  void end();

 private:
  using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                                  boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

  ChangeStream(LiveChanges& changes, const Executor& loop, const api::Call& call, http::Quota::Hold place);
  Task<bool> may_continue();
  Task<> take(std::string& piece);
  Task<bool> read_missed(std::string& piece);

  LiveChanges& changes_;
  Timer timer_;
  http::Quota::Hold place_;
  const TenantId tenant_;
  const UserId user_;
  std::string credential_name_;  // the header that authenticates the caller
  std::string credential_;
  RecentChanges::Reader reader_;
  std::optional<ChangeFeed::Subscription> subscription_;
  std::chrono::steady_clock::time_point check_at_;
  bool resuming_ = true;  // the changes since the client's last connection are still read from the database
  bool ended_ = false;
};

}  // namespace guildhall
