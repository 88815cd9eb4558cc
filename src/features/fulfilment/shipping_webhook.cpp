#include "features/fulfilment/shipping_webhook.h"

#include "base/log.h"
#include "features/fulfilment/shipment_actions.h"
#include "features/fulfilment/shipment_store.h"
#include "features/fulfilment/tracker.h"
#include "features/webhooks/signatures.h"
#include "features/webhooks/webhook_checks.h"

namespace guildhall {
namespace {

using http::Access, http::Call, http::Method, http::Reply, http::route;

constexpr std::size_t body_bytes_max = 256 * 1024;

struct ShippingAcknowledged {
  bool ok = true;
};
BOOST_DESCRIBE_STRUCT(ShippingAcknowledged, (), (ok))

void verify(const Call& call, const Config& config) {
  if (config.shipping_webhook_secrets.empty()) {
    if (config.development) return;
    throw no_webhook_secret("SHIPPING_WEBHOOK_SECRET");
  }
  const std::string_view header = call.request.header("x-hmac-signature");
  bool verified = false;
  for (const std::string& secret : config.shipping_webhook_secrets) {
    verified |= verify_shipping_signature(header, call.request.body, secret);
  }
  if (!verified) throw bad_signature();
}

// One shipment, or none. More than one in different tenants is nobody's: better no news than another shop's.
std::optional<Shipment> only_one(const TrackerUpdate& update, std::vector<Shipment> found) {
  if (found.empty()) return std::nullopt;
  for (const Shipment& shipment : found) {
    if (shipment.tenant_id == found.front().tenant_id) continue;
    log::warn("shipping: an event fits shipments of different tenants and is ignored",
              {{"tracker", update.tracker_id}});
    return std::nullopt;
  }
  return std::move(found.front());
}

std::optional<Shipment> shipment_of(Tx& tx, const TrackerUpdate& update) {
  if (!update.shipment_id.empty()) {
    auto found = tx.all(shipments_of_provider_id(update.shipment_id));
    if (!found.empty()) return only_one(update, std::move(found));
  }
  if (!update.tracker_id.empty()) {
    auto found = tx.all(shipments_of_tracker(update.tracker_id));
    if (!found.empty()) return only_one(update, std::move(found));
  }
  if (update.tracking_code.empty()) return std::nullopt;
  return only_one(update, of_carrier(tx.all(shipments_of_tracking_number(update.tracking_code)), update.carrier));
}

// Whose the event is: its shipment's tenant's, or the default tenant's.
Task<TenantId> tenant_of(Database& db, const JsonLookup& event, const TenantId& otherwise) {
  const auto update = tracker_update_of(event);
  if (!update) co_return otherwise;
  co_return co_await db.read([&](Tx& tx) {
    const auto shipment = shipment_of(tx, *update);
    return shipment ? shipment->tenant_id : otherwise;
  });
}

Task<Reply> receive(Call& call, Database& db, const WebhookIntake& intake, const Config& config) {
  verify(call, config);
  require_json_object(call.request.body);
  const auto event = JsonLookup::parse(call.request.body);
  const TenantId tenant = co_await tenant_of(db, *event, config.default_tenant);
  const IncomingEvent incoming{.provider = WebhookProvider::SHIPPING,
                               .event_id = event_key(event->text("/id"), call.request.body),
                               .payload = std::string(call.request.body),
                               .tenant = tenant};
  // One that could not be applied is kept and tried again by the outbox: the provider need not send it again.
  co_await intake.receive(db, incoming, call.now);
  co_return http::json_reply(200, ShippingAcknowledged{});
}

}  // namespace

Applied apply_shipping_event(Tx& tx, const Events& events, const IncomingEvent& incoming, Instant now) {
  const auto event = JsonLookup::parse(incoming.payload);
  const auto update = event ? tracker_update_of(*event) : std::nullopt;
  const auto shipment = update ? shipment_of(tx, *update) : std::nullopt;
  if (!shipment) return Applied::ignored;
  Shipment preview = *shipment;
  if (!apply(*update, preview, now)) return Applied::ignored;
  const Actor actor{ActorKind::PROVIDER, "SHIPPING", ""};
  const std::optional<std::string> detail = update->detail.empty() ? std::nullopt : std::optional(update->detail);
  change_shipment(
      {tx, events, shipment->tenant_id, actor, now}, shipment->id,
      [&](Shipment& current) { apply(*update, current, now); }, detail);
  return Applied::processed;
}

std::vector<http::Route> shipping_webhook_routes(Database& db, const WebhookIntake& intake, const Config& config) {
  return {
      route(Method::post, "/api/shipping/webhook", Access::open, "Events of the shipping provider", receive, db, intake,
            config)
          .takes_raw(body_bytes_max)
          .limited({"shipping_webhook", config.rate_limit_shipping_per_min})
          .gives<ShippingAcknowledged>(200, "Taken; also for other events and unknown parcels."),
  };
}

}  // namespace guildhall
