#include "features/delivery/key_giving.h"

#include "features/catalog/product_actions.h"

namespace guildhall {

DeliveryKey KeyMaker::key_from(const Deliverable& deliverable, const std::string& text) const {
  DeliveryKey key{.id = DeliveryKeyId::make(context_.now),
                  .tenant_id = deliverable.tenant_id,
                  .deliverable_id = deliverable.id,
                  .hint = hint_of_key(text),
                  .created_at = context_.now,
                  .updated_at = context_.now,
                  .version = {1}};
  key.key.value = secrets_.seal(text, key_context(key.tenant_id, key.id));
  key.key_hash.value = shop_->hash_of(text);
  return key;
}

bool KeyMaker::add_free(const Deliverable& pool, const std::string& text) const {
  return insert_key(context_.tx, key_from(pool, text));
}

void KeyMaker::give_new(const Deliverable& deliverable, const Entitlement& item, std::int64_t count) const {
  for (std::int64_t given = 0; given < count;) {
    DeliveryKey key = key_from(deliverable, new_text(deliverable, item));
    key.status = DeliveryKeyStatus::ASSIGNED;
    key.order_id = item.order_id;
    key.entitlement_id = item.id;
    key.assigned_at = context_.now;
    if (insert_key(context_.tx, key)) ++given;
  }
}

std::string KeyMaker::new_text(const Deliverable& deliverable, const Entitlement& item) const {
  if (deliverable.pattern) return make_key(*deliverable.pattern);
  return shop_->signed_licence({.id = make_uuid(context_.now),
                                .tenant_id = context_.tenant,
                                .product_id = item.product_id,
                                .order_id = item.order_id,
                                .issued_at = context_.now});
}

bool change_stock_by(const ActionContext& context, const ProductId& product, std::int64_t by) {
  if (by == 0) return true;
  const auto stock = change_key_stock(context.tx, context.tenant, product, by, context.now);
  if (stock) emit_stock_change(context, *stock, stock->stock_quantity - by);
  return stock.has_value();
}

bool take_unreserved(const ActionContext& context, const ProductId& product, std::int64_t count) {
  return count <= 0 || change_stock_by(context, product, -count);
}

bool take_from_pool(const ActionContext& context, const Deliverable& pool, const Entitlement& item, std::int64_t count,
                    std::int64_t reserved) {
  if (*context.tx.one(number_of_free_keys(context.tenant, pool.id, count)) < count) return false;
  if (!take_unreserved(context, item.product_id, count - reserved)) return false;
  if (take_free_keys(context.tx, pool.id, item, count, context.now) != count) throw WriteRace();
  // A pool may give one key for the whole order: what else was held is free again.
  if (reserved > count) change_stock_by(context, item.product_id, reserved - count);
  return true;
}

std::string_view give_keys(const ActionContext& context, const SecretBox& secrets, const Entitlement& item,
                           std::int64_t units, std::int64_t reserved) {
  if (units > delivered_units_max) return too_many_units;
  const auto deliverables = context.tx.all(deliverables_of(context.tenant, item.product_id));
  const auto is_generated = [](const Deliverable& one) { return one.kind == DeliverableKind::KEY_GENERATED; };
  std::optional<KeyMaker> maker;
  if (std::ranges::any_of(deliverables, is_generated) && !maker.emplace(context, secrets).is_able()) {
    return other_master_key;
  }
  for (const Deliverable& pool : deliverables) {
    if (pool.kind != DeliverableKind::KEY_POOL) continue;
    if (!take_from_pool(context, pool, item, keys_for(pool, units), reserved)) return no_key_left;
  }
  for (const Deliverable& one : deliverables) {
    if (is_generated(one)) maker->give_new(one, item, keys_for(one, units));
  }
  return "";
}

}  // namespace guildhall
