#include "sandbox/shipping.h"

#include "base/failure.h"
#include "features/webhooks/signatures.h"
#include "sandbox/world.h"

namespace guildhall::sandbox {
namespace {

using http::Method, http::Reply;

constexpr std::string_view steps[] = {"unknown", "pre_transit", "in_transit", "out_for_delivery", "delivered"};
constexpr std::string_view hexadecimal = "0123456789abcdef";

struct Wording {
  std::string_view status, detail, message;
};
constexpr Wording wordings[] = {
    {"unknown", "unknown", "The carrier has no information yet"},
    {"pre_transit", "label_created", "Shipping label created"},
    {"in_transit", "departed_facility", "Departed from the facility"},
    {"out_for_delivery", "out_for_delivery", "Out for delivery"},
    {"delivered", "arrived_at_destination", "Delivered"},
    {"failure", "address_correction", "The parcel could not be delivered"},
};

const Wording& wording_of(std::string_view status) {
  return *std::ranges::find(wordings, status, &Wording::status);
}

json::Value tracker(const Parcel& parcel) {
  const std::string details = json::write_array([&](json::ArrayWriter& list) {
    for (const TrackingDetail& detail : parcel.details) {
      const Wording& wording = wording_of(detail.status);
      list.add(json::object({{"object", "TrackingDetail"},
                             {"message", wording.message},
                             {"status", detail.status},
                             {"status_detail", wording.detail},
                             {"datetime", to_string(detail.at)},
                             {"source", parcel.carrier}}));
    }
  });
  return json::object({{"id", parcel.id},
                       {"object", "Tracker"},
                       {"mode", "test"},
                       {"tracking_code", parcel.tracking_number},
                       {"status", parcel.status},
                       {"status_detail", wording_of(parcel.status).detail},
                       {"carrier", parcel.carrier},
                       {"shipment_id", nullptr},
                       {"est_delivery_date", nullptr},
                       {"is_return", false},
                       {"updated_at", to_string(now())},
                       {"tracking_details", json::verbatim(details)}});
}

Reply error(int status, std::string_view code, std::string_view message) {
  return json_reply(status, json::object({{"error", json::object({{"code", code}, {"message", message}})}}));
}

}  // namespace

Headers Shipping::signature(const std::string&, const std::string& body) const {
  return {{"X-Hmac-Signature", shipping_signature(body, world.options.secrets.of("shipping webhooks"))}};
}

Reply Shipping::answer(const PartyRequest& request) {
  if (request.is(Method::post, "/v2/trackers")) {
    const std::string code = request.text("/tracker/tracking_code");
    if (code.empty()) return error(422, "PARAMETER.REQUIRED", "tracking_code is required.");
    return json_reply(201, tracker(add(request.text("/tracker/carrier"), code, "")));
  }
  if (request.is(Method::get, "/v2/trackers/*")) {
    if (const Parcel* parcel = find(request.part(2))) return json_reply(200, tracker(*parcel));
  }
  return error(404, "NOT_FOUND", "The requested resource could not be found.");
}

const Parcel& Shipping::add(const std::string& carrier, const std::string& tracking_number,
                            const std::string& order_number) {
  const auto known = std::ranges::find_if(parcels_, [&](const Parcel& parcel) {
    return parcel.carrier == carrier && parcel.tracking_number == tracking_number;
  });
  if (known != parcels_.end()) return *known;
  if (parcels_.size() >= parcels_max) parcels_.pop_front();
  world.touch();
  return parcels_.emplace_back(Parcel{.id = "trk_" + random_text(32, hexadecimal),
                                      .order_number = order_number,
                                      .carrier = carrier,
                                      .tracking_number = tracking_number});
}

std::vector<std::string_view> Shipping::actions(const Parcel& parcel) const {
  if (parcel.status == "delivered") return {};
  if (parcel.status == "failure") return {"next"};
  return {"next", "fail"};
}

Webhook Shipping::act(Parcel& parcel, std::string_view action) {
  require_action(actions(parcel), action, parcel.status);
  const auto* step = std::ranges::find(steps, parcel.status);
  const bool correction = step == std::end(steps);  // carriers correct failures
  const std::string before = std::exchange(parcel.status, std::string(action == "fail" ? "failure"
                                                                      : correction     ? "delivered"
                                                                                       : *(step + 1)));
  parcel.details.push_back({parcel.status, now()});
  world.touch();
  const json::Value event = json::object({{"id", "evt_" + random_text(32, hexadecimal)},
                                          {"object", "Event"},
                                          {"mode", "test"},
                                          {"description", "tracker.updated"},
                                          {"previous_attributes", json::object({{"status", before}})},
                                          {"status", "pending"},
                                          {"created_at", to_string(now())},
                                          {"updated_at", to_string(now())},
                                          {"result", tracker(parcel)}});
  return {*this, "/api/shipping/webhook", event.text};
}

Parcel* Shipping::find(std::string_view id) {
  const auto found = std::ranges::find_if(parcels_, [&](const Parcel& parcel) { return parcel.id == id; });
  return found == parcels_.end() ? nullptr : &*found;
}

}  // namespace guildhall::sandbox
