#pragma once

#include <algorithm>
#include <array>
#include <string_view>

// The domain events that tenants can have sent to their endpoints; docs/events.md describes each payload.
namespace guildhall {

constexpr std::array<std::string_view, 10> event_names{
    "order.created",    "order.paid",         "order.shipped",      "order.cancelled",     "order.refunded",
    "shipment.shipped", "shipment.delivered", "shipment.exception", "entitlement.granted", "entitlement.revoked",
};

constexpr bool is_event_name(std::string_view name) {
  return std::find(event_names.begin(), event_names.end(), name) != event_names.end();
}

}  // namespace guildhall
