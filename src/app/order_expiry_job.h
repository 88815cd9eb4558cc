#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "features/orders/order_config.h"
#include "outbox/events.h"
#include "storage/storage.h"

namespace guildhall {

// Cancels the orders that were not paid in time, each in its own transaction. Any number of nodes may run it. Returns
// the number of cancelled orders.
std::int64_t expire_unpaid_orders(Storage& storage, const Events& events, std::int64_t default_minutes, Instant now);

// Calls expire_unpaid_orders twice a minute, on a thread of its own.
class OrderExpiryJob {
 public:
  OrderExpiryJob(Storage& storage, const Events& events, const OrderConfig& config);
  ~OrderExpiryJob();

 private:
  void work();
  bool wait_for_next();

  Storage& storage_;
  const Events& events_;
  const OrderConfig& config_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace guildhall
