#include "features/slice.h"

#include "features/fulfilment/routes.h"
#include "features/fulfilment/shipment_actions.h"
#include "features/orders/order_events.h"

namespace guildhall {
namespace {

void handle_shipping_webhooks(WebhookIntake& intake) {
  intake.handle(shipping_webhooks, apply_shipping_event);
}

void handle_paid_orders(outbox::Dispatcher& dispatcher, Storage& storage, const Events& events) {
  dispatcher.handle(std::string(paid_order_topic), [&storage, &events](const outbox::Delivery& delivery) {
    return move_paid_order(storage, events, delivery);
  });
}

}  // namespace

Slice fulfilment_slice() {
  return Slice("fulfilment")
      .table({.name = "shipments",
              .other = "order_id carrier service status ship_from provider_shipment_id",
              .personal = "ship_to tracking_number tracker_id label_url",
              .erased = "ship_to = NULL, tracking_number = NULL, tracker_id = NULL, label_url = NULL, "
                        "version = version + 1"})
      .routes(shipment_routes)
      .routes(shipping_webhook_routes)
      .events<ShipmentShipped, ShipmentDelivered, ShipmentException>()
      .subscribes(subscribe_shipments)
      .topics(handle_paid_orders)
      .webhooks(handle_shipping_webhooks);
}

}  // namespace guildhall
