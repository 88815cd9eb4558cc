#include "app/event_list.h"

#include <algorithm>
#include <array>

#include "features/catalog/product_events.h"
#include "features/customers/customer_events.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/identity/tenant_actions.h"
#include "features/memberships/membership.h"
#include "features/orders/order_events.h"
#include "features/payments/payment_events.h"
#include "features/payments/refunds/refund_events.h"
#include "outbox/events.h"

namespace guildhall {
namespace {

template <DomainEvent... Listed>
struct EventList {
  static constexpr std::array<std::string_view, sizeof...(Listed)> names{Listed::name...};

  static constexpr auto published_names = [] {
    std::array<std::string_view, (std::size_t{PublishedEvent<Listed>} + ...)> published{};
    std::size_t count = 0;
    ((PublishedEvent<Listed> ? void(published[count++] = Listed::name) : void()), ...);
    return published;
  }();

  template <class Event>
  static void add(std::vector<api::OutgoingEvent>& events) {
    if constexpr (PublishedEvent<Event>) {
      using Payload = std::remove_cvref_t<decltype(std::declval<const Event&>().payload())>;
      events.push_back({Event::name, &Codec<Payload>::schema});
    }
  }

  static std::vector<api::OutgoingEvent> published() {
    std::vector<api::OutgoingEvent> events;
    (add<Listed>(events), ...);
    return events;
  }

  static constexpr bool has_unique_names() {
    auto sorted = names;
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end();
  }
};

using AllEvents =
    EventList<OrderAnnounced, OrderCreated, OrderUpdated, OrderPaid, OrderFulfilling, OrderShipped, OrderCompleted,
              OrderCancelled, OrderRefunded, OrderDeleted, PaidOrderChanged, CurrencyChangeRequested,
              ContributionRequested, ProductCreated, ProductUpdated, ProductDeleted, StockLow, StockOut, StockBack,
              CustomerCreated, CustomerUpdated, CustomerDeactivated, CustomerReactivated, RefundCreated,
              RefundCompleted, RefundFailed, ShipmentShipped, ShipmentDelivered, ShipmentException, EntitlementGranted,
              EntitlementRevoked, EntitlementDelayed, MembershipPaid, MembershipStarted, MembershipRenewed,
              MembershipPlanChanged, MembershipPaused, MembershipResumed, MembershipCancelled, MembershipEnding,
              MembershipEnded, PaymentChanged, RefundChanged, TenantCreated, TenantDeleted>;
static_assert(AllEvents::has_unique_names());

}  // namespace

std::span<const std::string_view> event_names() {
  return AllEvents::names;
}

std::span<const std::string_view> published_event_names() {
  return AllEvents::published_names;
}

std::span<const api::OutgoingEvent> published_events() {
  static const std::vector<api::OutgoingEvent> events = AllEvents::published();
  return events;
}

}  // namespace guildhall
