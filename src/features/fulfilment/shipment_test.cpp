// The rules of shipments and of the provider's tracking, as tables.
#include "features/fulfilment/shipment.h"

#include <gtest/gtest.h>

#include "features/fulfilment/tracker.h"

namespace guildhall {
namespace {

using enum OrderShippingStatus;

Shipment shipment_in(ShipmentStatus status) {
  Shipment shipment;
  shipment.status = status;
  return shipment;
}

TEST(ShipmentMoves, go_forward_or_to_failed_and_recover_from_failed) {
  const std::set<std::pair<ShipmentStatus, ShipmentStatus>> allowed{
      {PENDING, LABEL_CREATED}, {PENDING, SHIPPED},         {PENDING, DELIVERED},    {PENDING, FAILED},
      {LABEL_CREATED, SHIPPED}, {LABEL_CREATED, DELIVERED}, {LABEL_CREATED, FAILED}, {SHIPPED, DELIVERED},
      {SHIPPED, FAILED},        {FAILED, SHIPPED},          {FAILED, DELIVERED}};
  for (const ShipmentStatus from : {PENDING, LABEL_CREATED, SHIPPED, DELIVERED, FAILED}) {
    for (const ShipmentStatus to : {PENDING, LABEL_CREATED, SHIPPED, DELIVERED, FAILED}) {
      EXPECT_EQ(may_move(from, to), from == to || allowed.contains({from, to})) << name_of(from) << name_of(to);
    }
  }
}

TEST(ShipmentMoves, record_the_times_of_shipping_and_delivery_once) {
  Shipment shipment;
  move_to(shipment, SHIPPED, Instant{5});
  move_to(shipment, FAILED, Instant{6});
  move_to(shipment, SHIPPED, Instant{7});
  move_to(shipment, DELIVERED, Instant{8});
  EXPECT_EQ(shipment.shipped_at, Instant{5});
  EXPECT_EQ(shipment.delivered_at, Instant{8});
  EXPECT_THROW(move_to(shipment, SHIPPED, Instant{9}), Failure);
}

TEST(Tracker, knows_the_providers_status_names) {
  const std::pair<std::string_view, std::optional<ShipmentStatus>> table[] = {{"unknown", std::nullopt},
                                                                              {"pre_transit", LABEL_CREATED},
                                                                              {"in_transit", SHIPPED},
                                                                              {"out_for_delivery", SHIPPED},
                                                                              {"available_for_pickup", SHIPPED},
                                                                              {"delivered", DELIVERED},
                                                                              {"return_to_sender", FAILED},
                                                                              {"failure", FAILED},
                                                                              {"cancelled", FAILED},
                                                                              {"error", FAILED},
                                                                              {"", std::nullopt},
                                                                              {"DELIVERED", std::nullopt}};
  for (const auto& [word, status] : table) EXPECT_EQ(status_of(word), status) << word;
}

TrackerUpdate update(std::string status, std::optional<std::int64_t> at) {
  TrackerUpdate made;
  made.status = std::move(status);
  if (at) made.updated_at = Instant{*at};
  return made;
}

TEST(Tracker, never_changes_the_status_backwards_or_by_older_events) {
  struct Case {
    ShipmentStatus from;
    std::optional<std::int64_t> tracked_at;
    std::string word;
    std::optional<std::int64_t> at;
    ShipmentStatus to;
  };
  const Case table[] = {
      {PENDING, {}, "in_transit", 10, SHIPPED},
      {SHIPPED, 10, "pre_transit", 20, SHIPPED},
      {DELIVERED, 10, "failure", 20, DELIVERED},
      {FAILED, 10, "delivered", 20, DELIVERED},
      {FAILED, 10, "in_transit", 20, SHIPPED},
      {FAILED, 10, "in_transit", 9, FAILED},
      {LABEL_CREATED, 10, "in_transit", 9, LABEL_CREATED},
      {SHIPPED, 10, "failure", 10, FAILED},
      {SHIPPED, 10, "unknown", 20, SHIPPED},
      {SHIPPED, 10, "delivered", {}, DELIVERED},
  };
  for (const Case& line : table) {
    Shipment shipment = shipment_in(line.from);
    if (line.tracked_at) shipment.tracked_at.value = Instant{*line.tracked_at};
    apply(update(line.word, line.at), shipment, Instant{99});
    EXPECT_EQ(shipment.status, line.to) << line.word << " " << line.at.value_or(-1);
  }
}

TEST(Tracker, times_do_not_depend_on_the_order_of_arrival) {
  Shipment forward, backward;
  apply(update("in_transit", 10), forward, {});
  apply(update("delivered", 20), forward, {});
  apply(update("delivered", 20), backward, {});
  apply(update("in_transit", 10), backward, {});
  EXPECT_EQ(to_json(forward), to_json(backward));
  EXPECT_EQ(backward.shipped_at, Instant{10});
}

TEST(Tracker, returns_whether_anything_changed) {
  Shipment shipment;
  EXPECT_TRUE(apply(update("in_transit", 10), shipment, {}));
  EXPECT_FALSE(apply(update("in_transit", 10), shipment, {}));
  EXPECT_FALSE(apply(update("pre_transit", 12), shipment, {}));
}

TEST(Tracker, carrier_narrows_recycled_codes) {
  const auto with = [](std::optional<std::string> carrier) {
    Shipment shipment;
    shipment.carrier = std::move(carrier);
    return shipment;
  };
  EXPECT_EQ(of_carrier({with("UPS"), with("USPS"), with({})}, "usps").size(), 1u);
  EXPECT_EQ(of_carrier({with("UPS"), with({})}, "USPS").size(), 1u);
  EXPECT_EQ(of_carrier({with("UPS")}, "USPS").size(), 0u);
  EXPECT_EQ(of_carrier({with("UPS"), with({})}, "").size(), 2u);
}

}  // namespace
}  // namespace guildhall
