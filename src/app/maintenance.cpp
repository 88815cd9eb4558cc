#include "app/maintenance.h"

#include "api/idempotency.h"
#include "base/instant.h"
#include "base/log.h"
#include "features/chat/cart.h"
#include "features/entitlements/chat_roles.h"
#include "features/media/media_folder.h"
#include "features/media/media_store.h"
#include "features/messages/message_store.h"
#include "features/webhooks/endpoint_store.h"
#include "features/webhooks/webhook_event_store.h"
#include "outbox/message_store.h"

namespace guildhall {
namespace {

constexpr std::chrono::minutes pause{10};
constexpr std::int64_t rows_a_transaction_max = 1000;
constexpr std::chrono::days message_log_kept{400};
constexpr std::int64_t pictures_a_transaction_max = 20;  // they are large

}  // namespace

Maintenance::Maintenance(Storage& storage, const Config& config)
    : storage_(storage), config_(config), thread_([this] { work(); }) {}

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

// `delete_rows` deletes at most rows_a_transaction_max rows and returns how many. Small transactions do not occupy the
// writer for long.
void Maintenance::delete_in_steps(FunctionRef<std::int64_t(Tx&)> delete_rows) {
  std::int64_t deleted = rows_a_transaction_max;
  while (deleted == rows_a_transaction_max) {
    storage_.write_now([&](Tx& tx) { deleted = delete_rows(tx); });
  }
}

void Maintenance::sweep_media_folder(Instant at) {
  MediaFolder(config_.media_dir).sweep(at, [&](const std::string& id) {
    bool known = true;
    storage_.read_now([&](Tx& tx) { known = has_media_file(tx, id); });
    return known;
  });
}

void Maintenance::work() {
  using std::chrono::days, std::chrono::minutes;
  while (wait_for_next()) {
    try {
      const Instant at = now();
      delete_in_steps([&](Tx& tx) { return api::forget_old_keys(tx, at, rows_a_transaction_max); });
      delete_in_steps([&](Tx& tx) {
        return outbox::forget_messages(tx, at - days(config_.outbox_retention_days),
                                       at - days(config_.outbox_dead_retention_days), rows_a_transaction_max);
      });
      delete_in_steps([&](Tx& tx) {
        return forget_webhook_events(tx, at - days(config_.webhook_event_retention_days), rows_a_transaction_max);
      });
      delete_in_steps([&](Tx& tx) {
        return forget_deliveries(tx, at - days(config_.webhook_delivery_retention_days), rows_a_transaction_max);
      });
      delete_in_steps(
          [&](Tx& tx) { return forget_logged_messages(tx, at - message_log_kept, rows_a_transaction_max); });
      delete_in_steps([&](Tx& tx) { return chat::delete_expired_carts(tx, at, rows_a_transaction_max); });
      delete_in_steps(
          [&](Tx& tx) { return delete_media_of_tenants(tx, pictures_a_transaction_max) ? rows_a_transaction_max : 0; });
      if (!config_.media_dir.empty()) sweep_media_folder(at);
      if (!config_.chat_bot_token.empty()) {
        storage_.write_now([&](Tx& tx) {
          queue_checks(tx, std::nullopt, at - minutes(config_.entitlement_check_minutes), at, rows_a_transaction_max);
        });
      }
    } catch (const std::exception& error) {
      log::warn("maintenance failed; it will try again", {{"error", error.what()}});
    }
  }
}

}  // namespace guildhall
