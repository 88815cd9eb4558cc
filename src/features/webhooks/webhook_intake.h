#pragma once

#include <functional>
#include <map>
#include <string>

#include "features/webhooks/webhook_event.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// The one way in for everybody's webhooks, after the caller has verified the raw bytes: the event is stored and its
// effect happens in one transaction, once, whatever the number of deliveries and nodes.
namespace guildhall {

constexpr std::string_view webhook_retry_topic = "webhook.retry";

struct IncomingEvent {
  WebhookProvider provider;
  std::string event_id;        // the provider's own, the same for every delivery
  std::string payload;         // the verified bytes: a JSON document
  TenantId tenant;             // the default tenant where the event belongs to none
  bool platform_only = false;  // the tenant is not sure: nobody but a PlatformAdmin is shown the event
};

enum class Applied { processed, ignored };

struct IntakeResult {
  enum class Kind {
    processed,
    ignored,
    duplicate,  // applied before, or being of no interest
    failed,     // rolled back; kept with its error, and tried again by the outbox
  };
  Kind kind;
  std::string error{};  // of a failed one, for the log
};

class WebhookIntake {
 public:
  // A provider's effect: runs in the transaction that stores the event, so a throw undoes both. It may see events in
  // any order, and one that was applied before if an admin queues it again: it must be idempotent.
  using Apply = std::function<Applied(Tx&, const IncomingEvent&, Instant now)>;

  // While the app is wired, before the first event.
  void handle(WebhookProvider provider, Apply apply);
  bool handles(WebhookProvider provider) const { return applies_.contains(provider); }

  // The caller decides what a failed event is answered with. Throws Failure unavailable when nothing could be stored.
  Task<IntakeResult> receive(Database& db, const IncomingEvent& event, Instant now) const;

  // The outbox's handler of webhook_retry_topic.
  outbox::Verdict try_again(Storage& storage, const outbox::Delivery& delivery) const;

 private:
  IntakeResult apply_new(Tx& tx, const IncomingEvent& event, Instant now) const;
  void apply_stored(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant now) const;

  std::map<WebhookProvider, Apply> applies_;
};

// Queues a stored event to be applied again.
void queue_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant due, Instant now);

}  // namespace guildhall
