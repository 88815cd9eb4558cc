#include "app/maintenance.h"

#include "api/idempotency.h"
#include "base/instant.h"
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

constexpr std::int64_t rows_a_transaction_max = 1000;
constexpr std::chrono::days message_log_kept{400};
constexpr std::int64_t pictures_a_transaction_max = 20;  // they are large

// `delete_rows` deletes at most rows_a_transaction_max rows and returns how many. Small transactions do not occupy the
// writer for long.
void delete_in_steps(Storage& storage, FunctionRef<std::int64_t(Tx&)> delete_rows) {
  std::int64_t deleted = rows_a_transaction_max;
  while (deleted == rows_a_transaction_max) {
    storage.write_now([&](Tx& tx) { deleted = delete_rows(tx); });
  }
}

void sweep_media_folder(Storage& storage, const Config& config, Instant now) {
  MediaFolder(config.media_dir).sweep(now, [&](const std::string& id) {
    bool known = true;
    storage.read_now([&](Tx& tx) { known = has_media_file(tx, id); });
    return known;
  });
}

}  // namespace

void maintain(Storage& storage, const Config& config, Instant now, const JobFailures& failures) {
  using std::chrono::days, std::chrono::minutes;
  constexpr std::int64_t rows = rows_a_transaction_max;
  const auto forget = [&](std::string_view what, FunctionRef<std::int64_t(Tx&)> delete_rows) {
    failures.attempt({.record = what}, [&] { delete_in_steps(storage, delete_rows); });
  };
  forget("idempotency keys", [&](Tx& tx) { return api::forget_old_keys(tx, now, rows); });
  forget("outbox messages", [&](Tx& tx) {
    return outbox::forget_messages(tx, now - days(config.outbox_retention_days),
                                   now - days(config.outbox_dead_retention_days), rows);
  });
  forget("webhook events",
         [&](Tx& tx) { return forget_webhook_events(tx, now - days(config.webhook_event_retention_days), rows); });
  forget("webhook deliveries",
         [&](Tx& tx) { return forget_deliveries(tx, now - days(config.webhook_delivery_retention_days), rows); });
  forget("message log", [&](Tx& tx) { return forget_logged_messages(tx, now - message_log_kept, rows); });
  forget("chat carts", [&](Tx& tx) { return chat::delete_expired_carts(tx, now, rows); });
  forget("pictures", [&](Tx& tx) { return delete_media_of_tenants(tx, pictures_a_transaction_max) ? rows : 0; });
  if (!config.media_dir.empty()) {
    failures.attempt({.record = "picture files"}, [&] { sweep_media_folder(storage, config, now); });
  }
  if (config.chat_bot_token.empty()) return;
  failures.attempt({.record = "role checks"}, [&] {
    storage.write_now(
        [&](Tx& tx) { queue_checks(tx, std::nullopt, now - minutes(config.entitlement_check_minutes), now, rows); });
  });
}

}  // namespace guildhall
