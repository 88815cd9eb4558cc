#include "features/delivery/delivered.h"

#include "features/catalog/product_store.h"
#include "features/entitlements/entitlement_store.h"

namespace guildhall {
namespace {

std::vector<std::string> opened_keys(const SecretBox& secrets, const std::vector<DeliveryKey>& keys,
                                     const DeliverableId& deliverable) {
  std::vector<std::string> opened;
  for (const DeliveryKey& key : keys) {
    if (key.deliverable_id != deliverable || key.status != DeliveryKeyStatus::ASSIGNED) continue;
    if (auto text = secrets.open(key.key.value, key_context(key.tenant_id, key.id))) opened.push_back(*std::move(text));
  }
  return opened;
}

std::vector<std::string> opened_content(const SecretBox& secrets, const Deliverable& deliverable) {
  if (!deliverable.content.value) return {};
  const auto text = secrets.open(*deliverable.content.value, content_context(deliverable));
  return text ? std::vector{*text} : std::vector<std::string>();
}

// Keys stay their buyer's when the deliverable is removed.
void add_keys_of_removed(const SecretBox& secrets, const std::vector<DeliveryKey>& keys, DeliveredItem& item,
                         const std::vector<Deliverable>& deliverables) {
  for (const DeliveryKey& key : keys) {
    if (std::ranges::find(deliverables, key.deliverable_id, &Deliverable::id) != deliverables.end()) continue;
    auto opened = opened_keys(secrets, {key}, key.deliverable_id);
    if (opened.empty()) continue;
    item.parts.push_back({item.product, DeliverableKind::KEY_POOL, std::move(opened), std::nullopt});
  }
}

}  // namespace

DeliveredItem delivered_item(Tx& tx, const std::optional<SecretBox>& secrets, const Entitlement& item, Instant now) {
  DeliveredItem shown{.entitlement_id = item.id, .product_id = item.product_id, .product = {}, .parts = {}};
  if (const auto product = tx.one(product_by_id(item.tenant_id, item.product_id))) shown.product = product->name;
  if (!secrets || item.status != EntitlementStatus::GRANTED) return shown;
  const auto deliverables = tx.all(deliverables_of(item.tenant_id, item.product_id));
  const auto keys = tx.all(keys_of_entitlement(item.tenant_id, item.id));
  for (const Deliverable& deliverable : deliverables) {
    DeliveredPart part{.name = deliverable.name, .kind = deliverable.kind, .values = {}, .available_at = std::nullopt};
    if (deliverable.available_at && now < *deliverable.available_at) {
      part.available_at = deliverable.available_at;
    } else {
      part.values =
          has_keys(deliverable) ? opened_keys(*secrets, keys, deliverable.id) : opened_content(*secrets, deliverable);
      if (part.values.empty()) continue;  // it was added after the purchase and has a key for new buyers only
    }
    shown.parts.push_back(std::move(part));
  }
  add_keys_of_removed(*secrets, keys, shown, deliverables);
  return shown;
}

std::vector<DeliveredItem> delivered_items(Tx& tx, const std::optional<SecretBox>& secrets, const Order& order,
                                           Instant now) {
  std::vector<DeliveredItem> items;
  if (!order.paid_at || order.gift_to) return items;
  for (const Entitlement& item : tx.all(entitlements_of_order(order.tenant_id, order.id))) {
    if (item.type != EntitlementType::DIGITAL_ITEM || !item.source_key.value) continue;  // given to somebody by hand
    DeliveredItem shown = delivered_item(tx, secrets, item, now);
    if (!shown.parts.empty()) items.push_back(std::move(shown));
  }
  return items;
}

}  // namespace guildhall
