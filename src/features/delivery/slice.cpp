#include "features/slice.h"

#include "features/delivery/delivery_actions.h"
#include "features/delivery/routes.h"

namespace guildhall {
namespace {

const Actor deliverer{ActorKind::SYSTEM, "delivery", ""};

void handle_delivery_topics(outbox::Dispatcher& dispatcher, Storage& storage, const Events& events,
                            const std::optional<SecretBox>& secrets) {
  const auto handle = [&](std::string_view topic, auto work) {
    dispatcher.handle(std::string(topic), [&, work](const outbox::Delivery& delivery) {
      const auto task = from_json<DeliveryTask>(delivery.payload);
      storage.write_now([&](Tx& tx) { work({tx, events, delivery.tenant, deliverer, now()}, delivery.id, task); });
      return outbox::done();
    });
  };
  handle(waiting_topic, [&](const ActionContext& context, const std::string&, const DeliveryTask& task) {
    if (secrets && task.product_id) serve_waiting(context, *secrets, *task.product_id);
  });
  handle(available_topic, [](const ActionContext& context, const std::string& id, const DeliveryTask& task) {
    if (task.entitlement_id) announce_available(context, *task.entitlement_id, id);
  });
  handle(complete_topic, [](const ActionContext& context, const std::string&, const DeliveryTask& task) {
    if (task.order_id) complete_order(context, *task.order_id);
  });
}

}  // namespace

Slice delivery_slice() {
  return Slice("delivery")
      .table({.name = "deliverables",
              .other = "product_id kind name per pattern",
              .sealed = "content",
              .sealed_for = "deliverable"})
      .table({.name = "delivery_keys",
              .other = "deliverable_id status hint order_id entitlement_id key_hash",
              .sealed = "key",
              .sealed_for = "delivery-key"})
      .table({.name = "licence_activations",
              .other = "key_id order_id",
              .personal = "name fingerprint",
              .erased = "DELETE"})
      .table({.name = "shop_secrets", .other = "public_key", .sealed = "seed", .sealed_for = "shop-secret"})
      .routes(deliverable_routes)
      .routes(delivery_key_routes)
      .routes(licence_routes)
      .events<ItemDelivered, KeysMissing>()
      .subscribes(subscribe_delivery)
      .topics(handle_delivery_topics);
}

}  // namespace guildhall
