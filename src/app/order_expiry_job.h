#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "features/orders/order_config.h"
#include "outbox/events.h"
#include "storage/storage.h"

namespace guildhall {

// Cancels what nobody has paid in time, an order a transaction. Safe on any number of nodes. Returns how many.
std::int64_t expire_unpaid_orders(Storage& storage, const Events& events, std::int64_t default_minutes, Instant now);

// Does so twice a minute, on a thread of its own.
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
