#pragma once

#include <functional>
#include <map>
#include <string>

#include "features/webhooks/webhook_event.h"
#include "outbox/events.h"
#include "outbox/verdict.h"
#include "storage/storage.h"

// Receives the webhooks of all providers, after the caller has verified the raw bytes. One transaction stores the event
// and applies it. An event is applied once, also if it is delivered several times and to several nodes.
namespace guildhall {

constexpr std::string_view webhook_retry_topic = "webhook.retry";

struct IncomingEvent {
  WebhookProvider provider;
  std::string event_id;                         // the provider's id, the same for every delivery
  std::string payload;                          // the verified bytes: a JSON document
  TenantId tenant;                              // the default tenant if the event belongs to none
  bool platform_only = false;                   // the tenant is not certain: only PlatformAdmins may see the event
  std::optional<AccountOwner> verified_with{};  // the owner of the secret that verified the bytes; kept for retries
};

enum class Applied { processed, ignored };

struct IntakeResult {
  enum class Kind {
    processed,
    ignored,
    duplicate,  // applied or ignored before
    failed,     // rolled back; stored with its error, and retried by the outbox
  };
  Kind kind;
  std::string error{};  // for the log, if the event failed
};

class WebhookIntake {
 public:
  // Applies a provider's event, in the transaction that stores it: an exception rolls back both. Events may come in any
  // order, and an admin can queue an event again, so the handler must be idempotent.
  // The context has the event's tenant, and the provider as its actor.
  using Apply = std::function<Applied(const ActionContext&, const IncomingEvent&)>;

  explicit WebhookIntake(const Events& events) : events_(events) {}

  // Called when the app is created, before the first event.
  void handle(WebhookProvider provider, Apply apply);
  bool handles(WebhookProvider provider) const { return applies_.contains(provider); }

  // The caller decides how a failed event is answered. Throws Failure unavailable if nothing could be stored.
  Task<IntakeResult> receive(Database& db, const IncomingEvent& event, Instant now) const;

  // The same for a caller that has read the event already: `apply` replaces the provider's handler this time. It must
  // have the same effect, since a failed event is retried with the handler. It may run several times.
  // `read_ahead` announces what `apply` will read (Tx::read_ahead).
  using ReadAhead = std::function<void(Tx&)>;
  Task<IntakeResult> receive(Database& db, const IncomingEvent& event, const Apply& apply, const ReadAhead& read_ahead,
                             Instant now) const;

  // The outbox's handler of webhook_retry_topic.
  outbox::Verdict try_again(Storage& storage, const outbox::Delivery& delivery) const;

 private:
  IntakeResult apply_new(Tx& tx, const IncomingEvent& event, const Apply& apply, Instant now) const;
  void apply_stored(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant now) const;

  const Events& events_;
  std::map<WebhookProvider, Apply> applies_;
};

// Queues a stored event to be applied again.
void queue_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant due, Instant now);

}  // namespace guildhall
