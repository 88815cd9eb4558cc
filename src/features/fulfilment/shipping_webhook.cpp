#include "base/log.h"
#include "features/fulfilment/routes.h"
#include "features/fulfilment/shipment_actions.h"
#include "features/fulfilment/shipment_store.h"
#include "features/fulfilment/tracker.h"
#include "features/webhooks/signatures.h"
#include "features/webhooks/webhook_checks.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::size_t body_bytes_max = 256 * 1024;

struct ShippingAcknowledged {
  bool ok = true;
};
BOOST_DESCRIBE_STRUCT(ShippingAcknowledged, (), (ok))

void verify(const Call& call, const ShippingConfig& config, const InstallationConfig& installation) {
  if (config.shipping_webhook_secrets.empty()) {
    if (installation.development) return;
    throw no_webhook_secret("SHIPPING_WEBHOOK_SECRET");
  }
  const std::string_view header = call.request.header("x-hmac-signature");
  bool verified = false;
  for (const std::string& secret : config.shipping_webhook_secrets) {
    verified |= verify_shipping_signature(header, call.request.body, secret);
  }
  if (!verified) throw bad_signature();
}

struct Match {
  Shipment shipment;
  bool by_number_alone = false;
};

// The shipment that the event concerns, if there is one. An event that matches shipments of several tenants is ignored,
// so that no tenant receives another tenant's data.
std::optional<Match> match_of(Tx& tx, const TrackerUpdate& update) {
  for (const ShipmentName name : {ShipmentName::provider_id, ShipmentName::tracker_id, ShipmentName::tracking_number}) {
    NamedShipments named = shipments_named(tx, name, update);
    if (named.newest.empty()) continue;
    if (named.in_several_tenants) {
      log::warn("shipping: an event fits shipments of different tenants and is ignored",
                {{"tracker", update.tracker_id}});
      return std::nullopt;
    }
    const bool by_number = name == ShipmentName::tracking_number;
    if (by_number) named.newest = of_carrier(std::move(named.newest), update.carrier);
    if (named.newest.empty()) return std::nullopt;
    return Match{std::move(named.newest.front()), by_number};
  }
  return std::nullopt;
}

struct EventOwner {
  TenantId tenant;
  bool certain = false;  // the event names the provider's id of one of the tenant's shipments
};

// An event belongs to the tenant of its shipment only if it was matched by an id. Otherwise only PlatformAdmins see it.
Task<EventOwner> owner_of(Database& db, const JsonLookup& event, const TenantId& otherwise) {
  const auto update = tracker_update_of(event);
  if (!update) co_return EventOwner{otherwise};
  co_return co_await db.read([&](Tx& tx) {
    const auto match = match_of(tx, *update);
    return match && !match->by_number_alone ? EventOwner{match->shipment.tenant_id, true} : EventOwner{otherwise};
  });
}

Task<Reply> receive(Call& call, Database& db, const WebhookIntake& intake, const ShippingConfig& config,
                    const InstallationConfig& installation) {
  verify(call, config, installation);
  require_json_object(call.request.body);
  const auto event = JsonLookup::parse(call.request.body);
  const EventOwner owner = co_await owner_of(db, *event, installation.default_tenant);
  const IncomingEvent incoming{.provider = shipping_webhooks,
                               .event_id = event_key(event->text("/id"), call.request.body),
                               .payload = std::string(call.request.body),
                               .tenant = owner.tenant,
                               .platform_only = !owner.certain};
  // An event that could not be applied is stored and retried by the outbox, so the provider need not send it again.
  co_await intake.receive(db, incoming, call.now);
  co_return api::json_reply(200, ShippingAcknowledged{});
}

}  // namespace

Applied apply_shipping_event(const ActionContext& context, const IncomingEvent& incoming) {
  const auto event = JsonLookup::parse(incoming.payload);
  const auto update = event ? tracker_update_of(*event) : std::nullopt;
  const auto match = update ? match_of(context.tx, *update) : std::nullopt;
  if (!match) return Applied::ignored;
  if (!incoming.platform_only && match->shipment.tenant_id != context.tenant) return Applied::ignored;
  const auto change = [&](Shipment& shipment) {
    return match->by_number_alone ? apply_status(*update, shipment, context.now)
                                  : apply(*update, shipment, context.now);
  };
  Shipment preview = match->shipment;
  if (!change(preview)) return Applied::ignored;
  const bool tells_detail = !match->by_number_alone && !update->detail.empty();
  change_shipment(
      context.in_tenant(match->shipment.tenant_id), match->shipment.id, [&](Shipment& current) { change(current); },
      tells_detail ? std::optional(update->detail) : std::nullopt);
  return Applied::processed;
}

std::vector<api::Route> shipping_webhook_routes(Database& db, const WebhookIntake& intake, const ShippingConfig& config,
                                                const InstallationConfig& installation) {
  return {
      route(Method::post, "/api/shipping/webhook", Access::open, "Events of the shipping provider", receive, db, intake,
            config, installation)
          .takes_raw(body_bytes_max)
          .limited({"shipping_webhook", config.rate_limit_shipping_per_min})
          .gives<ShippingAcknowledged>(200, "Taken; also for other events and unknown parcels."),
  };
}

}  // namespace guildhall
