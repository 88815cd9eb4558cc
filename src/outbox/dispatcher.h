#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "base/job_failures.h"
#include "base/metrics.h"
#include "outbox/lanes.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

namespace guildhall::outbox {

struct DispatcherOptions {
  int threads = 16;                         // simultaneous deliveries; they mostly wait for other servers
  std::chrono::milliseconds lease{60'000};  // the claims of a node that died expire after this time
  std::chrono::milliseconds pause{200};     // between two searches when nothing is due
  LaneLimits lanes{};
};

// Delivers each message of the outbox to the handler of its topic, at least once. Any number of nodes may run a
// dispatcher on the same database. Lanes are served in turn, beginning after the last one served, and the deliveries in
// flight are limited per tenant and per lane, so that a busy, slow or broken receiver delays no other. A message whose
// topic has no handler stays pending.
class Dispatcher {
 public:
  Dispatcher(Storage& storage, Metrics& metrics, DispatcherOptions options);
  ~Dispatcher();  // stops

  // Sets the handler of a topic. Must be called before start(). The messages of a lane are delivered in any order, or
  // one after the other in the order in which they were appended: then a message that is retried delays the next ones.
  enum class Order { any, as_appended };
  void handle(std::string topic, Handler handler, RetryPolicy policy = {}, Order order = Order::any);

  void start();

  // Stops claiming messages and waits for the running handlers.
  void stop();

 private:
  // The metrics keep it alive after the dispatcher.
  struct TopicGauges {
    std::atomic<double> pending{0};
    std::atomic<double> oldest_seconds{0};
  };
  struct Topic {
    Handler handler;
    RetryPolicy policy;
    Order order;
    std::shared_ptr<TopicGauges> gauges;
  };
  struct DueLanes {
    std::vector<Lane> lanes;
    Instant at;  // when they were read
  };
  struct Batch {
    std::vector<Claim> claims;
    Lane last_served;
    std::vector<std::pair<Lane, Instant>> resting;  // lanes whose oldest message is not due, and until when
  };

  void claim_messages();
  std::vector<Claim> claim_some(int count);
  Batch claim_by_lane(const DueLanes& due, int count, Lanes lanes);
  DueLanes find_due_lanes(const Lanes& lanes);
  Batch claim_from(Tx& tx, const DueLanes& due, int count, Lanes lanes);
  bool is_handled(const Lane& lane);
  bool is_ordered(const Lane& lane) const;
  Locking locking_of(const Lane& lane) const;
  void measure();
  void start_threads();
  void deliver_messages();
  Verdict deliver(const Claim& claim);
  void settle(const Claim& claim, const Topic& topic, Verdict& verdict);
  void settle_failure(const Claim& claim, const Topic& topic, Verdict& verdict);
  void count(const Delivery& delivery, const Verdict& verdict);
  Counter& attempts(const std::string& topic, Verdict::Kind kind);
  void release_waiting();

  Storage& storage_;
  Metrics& metrics_;
  const JobFailures failures_;
  const DispatcherOptions options_;
  const Locking locking_;
  std::map<std::string, Topic, std::less<>> topics_;
  std::set<std::string, std::less<>> unknown_topics_;  // those that were logged
  Lane last_served_;

  std::mutex mutex_;
  std::condition_variable claimed_;    // a message was claimed, or the dispatcher is stopping
  std::condition_variable delivered_;  // a delivery ended, or the dispatcher is stopping
  bool stopping_ = false;
  bool delivered_since_search_ = false;  // a lane may have free capacity again
  std::deque<Claim> waiting_;            // claims that no thread has taken yet
  int in_flight_ = 0;                    // includes the waiting claims
  Lanes lanes_;
  std::thread claiming_;
  std::vector<std::thread> delivering_;  // as many as were needed at the same time so far
};

}  // namespace guildhall::outbox
