#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "base/metrics.h"
#include "outbox/lanes.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

namespace guildhall::outbox {

struct DispatcherOptions {
  int threads = 16;                         // deliveries at a time; they mostly wait for other servers
  std::chrono::milliseconds lease{60'000};  // a claim of a node that died is free again after this
  std::chrono::milliseconds pause{200};     // between looks at an empty outbox
  LaneLimits lanes{};
};

// Delivers the outbox's messages, each to the handler of its topic, at least once. Any number of nodes may run one on
// the same database. Lanes are looked at in turn, beginning after the last one served, and each tenant and lane has
// only so much under way: a busy, slow or broken one delays nobody else. A message without a handler stays pending.
class Dispatcher {
 public:
  Dispatcher(Storage& storage, Metrics& metrics, DispatcherOptions options);
  ~Dispatcher();  // stops

  // Before start().
  void handle(std::string topic, Handler handler, RetryPolicy policy = {});

  void start();

  // Claims nothing more, and waits for the handlers that run.
  void stop();

 private:
  struct Topic {
    Handler handler;
    RetryPolicy policy;
  };
  struct Turn {
    std::vector<Claim> claims;
    Lane last;  // served
  };
  struct Look {  // at the lanes, from one moment
    std::vector<Lane> due;
    Instant at;
  };
  struct Gauges;

  void look_for_work();
  std::vector<Claim> claim_some(int count);
  Look look_at_lanes(const Lanes& lanes);
  Turn take_turn(Tx& tx, const Look& look, int count, Lanes lanes);
  bool is_handled(const Lane& lane);
  void measure();
  void do_work();
  Verdict deliver(const Claim& claim);
  void settle(const Claim& claim, const Topic& topic, Verdict& verdict);
  void settle_failure(const Claim& claim, const Topic& topic, Verdict& verdict);
  void count(const Delivery& delivery, const Verdict& verdict);
  void release_waiting();

  Storage& storage_;
  Metrics& metrics_;
  const DispatcherOptions options_;
  const Locking locking_;
  std::map<std::string, Topic, std::less<>> topics_;
  std::set<std::string, std::less<>> unknown_topics_;  // said once
  std::shared_ptr<Gauges> gauges_;
  Lane last_served_;

  std::mutex mutex_;
  std::condition_variable work_;  // something was claimed, or stopping
  std::condition_variable room_;  // something was finished, or stopping
  bool stopping_ = false;
  bool finished_ = false;  // something, since the last look: its lane may have room again
  std::deque<Claim> waiting_;
  int under_way_ = 0;  // waiting claims included
  Lanes lanes_;
  std::vector<std::thread> threads_;
};

}  // namespace guildhall::outbox
