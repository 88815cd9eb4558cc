#include "api/resource.h"
#include "features/action.h"
#include "features/identity/permissions.h"
#include "features/webhooks/routes.h"
#include "features/webhooks/webhook_event_store.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

WebhookEventId event_in_path(const Call& call) {
  return WebhookEventId(call.param(0));
}

EventView view_of(const Call& call) {
  return call.caller->may(platform_admin) ? EventView::platform : EventView::tenant;
}

// The audit entry does not contain the payload, so that erasing the payload of the event removes the only copy.
void audit_event(Tx& tx, const Call& call, const WebhookEvent& event, std::string_view action) {
  action_of(call, tx).audit({"webhook-event", event.id.text()}, action);
}

WebhookEvent read_for_change(Tx& tx, const Call& call) {
  auto event = tx.one(webhook_event_by_id(call.tenant, event_in_path(call), view_of(call)));
  if (!event) throw not_found("Webhook event");
  call.require_match(event->version);
  event->updated_at = call.now;
  return std::move(*event);
}

Task<Reply> record(Call& call, Database& db) {
  const auto input = call.body<NewWebhookEvent>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    const WebhookEvent event = manual_event_from(input, call.tenant, call.now);
    if (!insert_webhook_event(tx, event)) {
      throw bad_request("EVENT_EXISTS", "This provider's event has been recorded by hand already.");
    }
    audit_event(tx, call, event, "created");
    return api::record_reply(201, event);
  });
}

Task<Reply> get_event(Call& call, Database& db) {
  return api::find_one(db, webhook_event_by_id(call.tenant, event_in_path(call), view_of(call)), "Webhook event");
}

Task<Reply> list_events(Call& call, Database& db) {
  return api::list_records<WebhookEventQuery, WebhookEvent>(call, db, webhook_event_listing(view_of(call)));
}

Task<Reply> patch_event(Call& call, Database& db, const WebhookIntake& intake) {
  const auto changes = call.body<WebhookEventPatch>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    WebhookEvent event = read_for_change(tx, call);
    queue_again(event, changes);
    if (!intake.handles(event.provider)) {
      throw bad_request("EVENT_NOT_REPEATABLE", "Events of this provider are only kept, not processed from here.");
    }
    update_webhook_event(tx, event);
    queue_webhook_event(tx, call.tenant, event.id, call.now, call.now);
    audit_event(tx, call, event, "queued");
    return api::record_reply(200, event);
  });
}

Task<Reply> erase_event(Call& call, Database& db) {
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    WebhookEvent event = read_for_change(tx, call);
    if (event.payload) {
      event.payload.reset();
      update_webhook_event(tx, event);
      audit_event(tx, call, event, "deleted");
    }
    return api::no_content();
  });
}

}  // namespace

std::vector<api::Route> webhook_event_routes(Database& db, const WebhookIntake& intake) {
  constexpr std::string_view all = "/api/data/webhook-event", one = "/api/data/webhook-event/:id";
  return {
      route(Method::post, all, Access::admin, "Record an event by hand; it is kept and never processed", record, db)
          .takes<NewWebhookEvent>()
          .gives<WebhookEvent>(201, "The recorded event."),
      route(Method::get, all, Access::admin, "A page of webhook events", list_events, db)
          .takes_query<WebhookEventQuery>()
          .gives<api::ListPage<WebhookEvent>>(200, "Newest first."),
      route(Method::get, one, Access::admin, "One webhook event", get_event, db).gives<WebhookEvent>(200, "The event."),
      route(Method::patch, one, Access::admin, "Have a provider's event processed again", patch_event, db, intake)
          .takes<WebhookEventPatch>()
          .gives<WebhookEvent>(200, "The event, which waits to be processed."),
      route(Method::del, one, Access::admin, "Erase an event's payload", erase_event, db)
          .gives(204, "Erased; the key remains, so a redelivery is still a duplicate."),
  };
}

}  // namespace guildhall
