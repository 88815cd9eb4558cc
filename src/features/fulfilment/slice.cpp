#include "features/slice.h"

#include "features/fulfilment/routes.h"
#include "features/orders/order_events.h"

namespace guildhall {
namespace {

void handle_shipping_webhooks(WebhookIntake& intake) {
  intake.handle(shipping_webhooks, apply_shipping_event);
}

}  // namespace

Slice fulfilment_slice() {
  return Slice("fulfilment")
      .routes(shipment_routes)
      .routes(shipping_webhook_routes)
      .events<ShipmentShipped, ShipmentDelivered, ShipmentException>()
      .webhooks(handle_shipping_webhooks);
}

}  // namespace guildhall
