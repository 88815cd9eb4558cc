#include "features/webhooks/webhook_intake.h"

#include "base/log.h"
#include "base/text.h"
#include "features/webhooks/webhook_event_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

constexpr std::chrono::seconds first_retry_after{10};

struct RetryMessage {
  WebhookEventId event;
};
BOOST_DESCRIBE_STRUCT(RetryMessage, (), (event))

WebhookEvent event_from(const IncomingEvent& incoming, Instant now) {
  return {.id = WebhookEventId::make(now),
          .tenant_id = incoming.tenant,
          .provider = incoming.provider,
          .event_id = incoming.event_id,
          .source = WebhookSource::PROVIDER,
          .status = WebhookStatus::RECEIVED,
          .attempts = 1,
          .error = std::nullopt,
          .payload = RawJson{incoming.payload},
          .received_at = now,
          .processed_at = std::nullopt,
          .created_at = now,
          .updated_at = now,
          .version = {1},
          .platform_only = {incoming.platform_only},
          .verified_with = {incoming.verified_with}};
}

WebhookStatus status_after(Applied applied) {
  return applied == Applied::processed ? WebhookStatus::PROCESSED : WebhookStatus::IGNORED;
}

Actor actor_of(WebhookProvider provider) {
  return {ActorKind::PROVIDER, std::string(name_of(provider)), ""};
}

void keep_failure(Tx& tx, const IncomingEvent& incoming, const std::string& error, Instant now) {
  WebhookEvent failed = event_from(incoming, now);
  failed.status = WebhookStatus::FAILED;
  failed.error = storable_text(error);
  const auto kept = keep_webhook_failure(tx, failed);
  if (kept && kept->first) queue_webhook_event(tx, incoming.tenant, kept->id, now + first_retry_after, now);
}

}  // namespace

void queue_webhook_event(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant due, Instant now) {
  outbox::append(
      tx,
      {.tenant = tenant, .topic = std::string(webhook_retry_topic), .payload = to_json(RetryMessage{id}), .due = due},
      now);
}

void WebhookIntake::handle(WebhookProvider provider, Apply apply) {
  applies_[provider] = std::move(apply);
}

IntakeResult WebhookIntake::apply_new(Tx& tx, const IncomingEvent& event, const Apply& apply, Instant now) const {
  const auto id = take_webhook_event(tx, event_from(event, now));
  if (!id) return {IntakeResult::Kind::duplicate};
  const Applied applied = apply({tx, events_, event.tenant, actor_of(event.provider), now}, event);
  finish_webhook_event(tx, event.tenant, *id, status_after(applied), now);
  return {applied == Applied::processed ? IntakeResult::Kind::processed : IntakeResult::Kind::ignored};
}

Task<IntakeResult> WebhookIntake::receive(Database& db, const IncomingEvent& event, Instant now) const {
  static const ReadAhead nothing = [](Tx&) {};  // outlives the coroutine, which keeps a reference to it
  return receive(db, event, applies_.at(event.provider), nothing, now);
}

Task<IntakeResult> WebhookIntake::receive(Database& db, const IncomingEvent& event, const Apply& apply,
                                          const ReadAhead& read_ahead, Instant now) const {
  std::string error;
  try {
    co_return co_await db.write([&](Tx& tx) {
      read_ahead(tx);
      return apply_new(tx, event, apply, now);
    });
  } catch (const Failure& failure) {
    if (failure.kind == Failure::Kind::unavailable) throw;
    error = failure.what();
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  log::error("webhook: an event could not be applied; it will be tried again",
             {{"provider", name_of(event.provider)}, {"event", event.event_id}, {"error", error}});
  co_await db.write([&](Tx& tx) { keep_failure(tx, event, error, now); });
  co_return IntakeResult{IntakeResult::Kind::failed, error};
}

void WebhookIntake::apply_stored(Tx& tx, const TenantId& tenant, const WebhookEventId& id, Instant now) const {
  const auto stored = take_webhook_event(tx, tenant, id, now);
  if (!stored) return;  // applied meanwhile, erased or deleted
  const IncomingEvent event{.provider = stored->provider,
                            .event_id = stored->event_id,
                            .payload = stored->payload->text,
                            .tenant = tenant,
                            .platform_only = stored->platform_only.value,
                            .verified_with = stored->verified_with.value};
  const Applied applied = applies_.at(event.provider)({tx, events_, tenant, actor_of(event.provider), now}, event);
  finish_webhook_event(tx, tenant, id, status_after(applied), now);
}

outbox::Verdict WebhookIntake::try_again(Storage& storage, const outbox::Delivery& delivery) const {
  const WebhookEventId id = from_json<RetryMessage>(delivery.payload).event;
  try {
    storage.write_now([&](Tx& tx) { apply_stored(tx, delivery.tenant, id, now()); });
    return outbox::done();
  } catch (const std::exception& error) {
    outbox::Verdict verdict = outbox::retry(error.what());
    verdict.also = [tenant = delivery.tenant, id, reason = storable_text(verdict.reason)](Tx& tx) {
      fail_webhook_event(tx, tenant, id, reason, now());
    };
    return verdict;
  }
}

}  // namespace guildhall
