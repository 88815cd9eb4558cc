#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <thread>
#include <unordered_map>

#include "base/job_failures.h"
#include "base/metrics.h"
#include "features/changes/recent_changes.h"
#include "http/quota.h"
#include "storage/storage.h"

namespace guildhall {

// Follows the audit trails of the tenants that have streams open in this process. One thread reads them four times a
// second, all tenants with one statement, and only while there are streams. Writers are not involved. On PostgreSQL it
// also seals the waiting entries of these tenants, which otherwise happens every two seconds.
class ChangeFeed {
 public:
  // A tenant that is further behind than this is asked to reload, instead of being sent every change.
  static constexpr std::int64_t behind_max = 5000;

  ChangeFeed(Storage& storage, Metrics& metrics, std::size_t streams_max, std::size_t streams_per_tenant);
  ~ChangeFeed();  // calls stop()

  void start();
  void stop();

  // Reserves a place for one stream. The hold is empty if there is none.
  http::Quota::Hold reserve(const TenantId& tenant) { return streams_.take(tenant.text(), 1); }
  bool is_full_for(const TenantId& tenant) const { return streams_.key_is_full(tenant.text(), 1); }

  // The membership of one stream, from which it takes changes.
  class Subscription {
   public:
    Subscription(ChangeFeed& feed, const TenantId& tenant, const ChangePosition& from, std::function<void()> changed);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    const RecentChanges& changes() const { return *changes_; }

   private:
    ChangeFeed& feed_;
    const std::string tenant_;
    std::shared_ptr<RecentChanges> changes_;
    RecentChanges::Subscribers::iterator subscriber_;
  };

  Counter& reloads() { return reloads_; }

 private:
  struct Followed {
    TenantId tenant;
    std::shared_ptr<RecentChanges> changes;
  };
  void run();
  void read_all();
  void read_one(const Followed& followed, const ChainState& state);
  std::vector<Followed> followed();

  Storage& storage_;
  JobFailures failures_;
  http::Quota streams_;
  Counter& reloads_;
  std::atomic<std::size_t> recent_bytes_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::unordered_map<std::string, std::shared_ptr<RecentChanges>> by_tenant_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
