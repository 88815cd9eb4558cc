#include "app/maintenance.h"

#include "base/instant.h"
#include "base/log.h"
#include "http/write_once.h"

namespace guildhall {
namespace {

constexpr std::chrono::minutes pause{10};
constexpr std::int64_t rows_a_transaction_max = 1000;

}  // namespace

Maintenance::Maintenance(Storage& storage) : storage_(storage), thread_([this] { work(); }) {}

Maintenance::~Maintenance() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool Maintenance::wait_for_next() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, pause, [this] { return stopping_; });
}

void Maintenance::work() {
  while (wait_for_next()) {
    try {
      std::int64_t forgotten = rows_a_transaction_max;
      while (forgotten == rows_a_transaction_max) {
        storage_.write_now([&](Tx& tx) { forgotten = http::forget_old_keys(tx, now(), rows_a_transaction_max); });
      }
    } catch (const std::exception& error) {
      log::warn("maintenance failed; it will try again", {{"error", error.what()}});
    }
  }
}

}  // namespace guildhall
