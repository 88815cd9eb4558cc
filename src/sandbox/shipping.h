#pragma once

#include <deque>

#include "sandbox/party.h"

namespace guildhall::sandbox {

// The reports of the carrier about a parcel.
struct TrackingDetail {
  std::string status;
  Instant at;
};

struct Parcel {
  std::string id;  // of the tracker
  std::string order_number;
  std::string carrier;
  std::string tracking_number;
  std::string status = "unknown";
  std::vector<TrackingDetail> details{};  // oldest first
};

// The shipping provider: EasyPost's API.
class Shipping final : public Party {
 public:
  static constexpr std::size_t parcels_max = 1000;

  explicit Shipping(World& world) : Party(world, "shipping", "Shipping provider") {}

  http::Reply answer(const PartyRequest& request) override;
  Headers signature(const std::string& url, const std::string& body) const override;

  // A known parcel with this carrier and number is returned as it is.
  const Parcel& add(const std::string& carrier, const std::string& tracking_number, const std::string& order_number);

  // The actions of a person: next, fail. `act` throws Failure.
  std::vector<std::string_view> actions(const Parcel& parcel) const;
  Webhook act(Parcel& parcel, std::string_view action);

  Parcel* find(std::string_view id);
  const std::deque<Parcel>& parcels() const { return parcels_; }

 private:
  std::deque<Parcel> parcels_;
};

}  // namespace guildhall::sandbox
