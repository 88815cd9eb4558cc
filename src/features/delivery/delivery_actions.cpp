#include "features/delivery/delivery_actions.h"

#include <set>
#include <unordered_map>

#include "base/text.h"
#include "features/catalog/product_actions.h"
#include "features/catalog/product_events.h"
#include "features/delivery/activation_store.h"
#include "features/delivery/key_giving.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/entitlement_store.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

constexpr std::string_view no_master_key = "The operator has not set SERVICE_MASTER_KEY.";
constexpr std::int64_t served_at_once = 200;
constexpr std::size_t problems_named_max = 100;

void seal_content(const SecretBox& secrets, Deliverable& deliverable) {
  if (deliverable.content.value) {
    deliverable.content.value = secrets.seal(*deliverable.content.value, content_context(deliverable));
  }
}

// The product says whether it delivers something, so that orders of all other products need not ask.
void note_delivery(const ActionContext& context, const ProductId& id) {
  const auto all = context.tx.all(deliverables_of(context.tenant, id));
  const bool has_pool =
      std::ranges::any_of(all, [](const Deliverable& one) { return one.kind == DeliverableKind::KEY_POOL; });
  change_product(context, id, [&](Product& product) {
    const Delivers before = product.delivers;
    product.delivers = has_pool ? Delivers::KEYS : all.empty() ? Delivers::NOTHING : Delivers::CONTENT;
    if (product.membership && std::ranges::any_of(all, has_keys)) {
      throw bad_request("KEYS_OF_A_MEMBERSHIP", "A membership has no keys: its time is sold again and again.");
    }
    if (product.delivers == before) return;
    if (product.delivers == Delivers::KEYS) {
      product.inventory_tracked = true;
      product.stock_quantity = 0;
    } else if (before == Delivers::KEYS) {
      product.stock_quantity = 0;
    }
  });
}

void queue_task(const ActionContext& context, std::string_view topic, const DeliveryTask& task, Instant due,
                const std::string& receiver) {
  outbox::append(context.tx,
                 {.tenant = context.tenant,
                  .topic = std::string(topic),
                  .payload = to_json(task),
                  .due = due,
                  .receiver = receiver},
                 context.now);
}

void announce_later_parts(const ActionContext& context, const Entitlement& item) {
  std::set<std::int64_t> announced;
  for (const Deliverable& part : context.tx.all(deliverables_of(context.tenant, item.product_id))) {
    if (!part.available_at || *part.available_at <= context.now) continue;
    if (!announced.insert(part.available_at->ms).second) continue;
    queue_task(context, available_topic, {.entitlement_id = item.id}, *part.available_at, item.id.text());
  }
}

// Grants an item that has its keys, or says why it waits for them.
void settle_item(const ActionContext& context, const Entitlement& item, std::string_view why_not) {
  Entitlement after = item;
  if (!why_not.empty()) {
    after.failure_reason = why_not;
    return settle_entitlement(context, item, after);
  }
  move_to(after, EntitlementStatus::GRANTED, context.now);
  after.failure_reason.reset();
  settle_entitlement(context, item, after);
  context.emit(ItemDelivered{after, "first"});
  announce_later_parts(context, after);
  queue_task(context, complete_topic, {.order_id = item.order_id}, context.now, item.order_id.text());
}

void deliver_item(const ActionContext& context, const std::optional<SecretBox>& secrets, const ItemDue& due) {
  const std::string_view why_not =
      secrets ? give_keys(context, *secrets, due.item, due.units, due.reserved) : no_master_key;
  settle_item(context, due.item, why_not);
  if (why_not.empty()) return;
  // The keys that the order held return to the stock. The item gets keys with the next upload.
  if (due.reserved > 0) change_stock_by(context, due.item.product_id, due.reserved);
  context.emit(KeysMissing{due.item});
}

void revoke_key(const ActionContext& context, DeliveryKey& key) {
  key.status = DeliveryKeyStatus::REVOKED;
  key.revoked_at = key.updated_at = context.now;
  update_key(context.tx, key);
  erase_activations(context.tx, context.tenant, key.id);
}

void revoke_keys(const ActionContext& context, const Entitlement& item) {
  for (DeliveryKey& key : context.tx.all(keys_of_entitlement(context.tenant, item.id))) {
    if (key.status == DeliveryKeyStatus::ASSIGNED) revoke_key(context, key);
  }
}

void forget_deliverables(const ActionContext& context, const ProductId& product) {
  for (const Deliverable& deliverable : context.tx.all(deliverables_of(context.tenant, product))) {
    erase_free_keys(context.tx, context.tenant, deliverable.id);
    deliverable_records.erase(context, deliverable.id, [](const Deliverable&) {});
  }
}

// What a buyer paid for; one of what was given by hand.
std::int64_t units_waited_for(const ActionContext& context, const Entitlement& item) {
  if (!item.source_key.value || item.membership_id) return 1;
  const auto order = context.tx.one(order_by_id(context.tenant, item.order_id));
  return order ? std::max<std::int64_t>(units_of(*order, item.product_id), 1) : 1;
}

Deliverable require_pool(const ActionContext& context, const DeliverableId& id) {
  Deliverable pool = deliverable_records.require(context, id);
  if (pool.kind != DeliverableKind::KEY_POOL) throw bad_request("NO_KEY_POOL", "The deliverable is no pool of keys.");
  return pool;
}

void require_able(const KeyMaker& maker) {
  if (!maker.is_able()) throw unavailable(std::string(other_master_key));
}

Failure keys_reserved() {
  return bad_request("KEYS_RESERVED", "Orders that are not paid yet hold these keys.");
}

bool is_printable(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return is_storable(text) && std::ranges::none_of(text, is_control);
}

// The lines that are empty, no text, too long or twice in the list.
std::vector<Problem> problems_of(const std::vector<std::string>& lines) {
  std::vector<Problem> problems;
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < lines.size() && problems.size() < problems_named_max; ++i) {
    const auto say = [&](std::string sentence) {
      problems.push_back({fmt::format("keys.{}", i), std::move(sentence)});
    };
    if (lines[i].empty()) say("must not be empty");
    if (!is_printable(lines[i])) say("must be text without control characters");
    if (lines[i].size() > key_length_max) say(fmt::format("must have at most {} characters", key_length_max));
    const auto [first, is_new] = seen.emplace(folded(lines[i]), i);
    if (!is_new) say(fmt::format("is the same as keys.{}", first->second));
  }
  return problems;
}

}  // namespace

Deliverable create_deliverable(const ActionContext& context, const SecretBox& secrets, const ProductId& product,
                               const NewDeliverable& input) {
  Deliverable deliverable = input.made(context.tenant, context.now);
  deliverable.product_id = product;
  const auto present = context.tx.all(deliverables_of(context.tenant, product));
  const auto keyed = static_cast<std::size_t>(std::ranges::count_if(present, has_keys));
  if (present.size() >= deliverables_max || (has_keys(deliverable) && keyed >= keyed_deliverables_max)) {
    throw bad_request("TOO_MANY_DELIVERABLES",
                      fmt::format("A product has at most {} deliverables, {} of them with keys.", deliverables_max,
                                  keyed_deliverables_max));
  }
  check(deliverable);
  seal_content(secrets, deliverable);
  insert_deliverable(context.tx, deliverable);
  deliverable_records.note(context, nullptr, &deliverable);
  note_delivery(context, product);
  return deliverable;
}

Deliverable change_deliverable(const ActionContext& context, const SecretBox& secrets, const DeliverableId& id,
                               FunctionRef<void(Deliverable&)> edit) {
  return deliverable_records.change(context, id, [&](Deliverable& deliverable) {
    const auto sealed = deliverable.content.value;
    if (sealed) deliverable.content.value = secrets.open(*sealed, content_context(deliverable)).value_or("");
    const auto before = deliverable.content.value;
    edit(deliverable);
    check(deliverable);
    if (deliverable.content.value == before) {
      deliverable.content.value = sealed;
    } else {
      seal_content(secrets, deliverable);
    }
  });
}

void delete_deliverable(const ActionContext& context, const DeliverableId& id,
                        FunctionRef<void(const Deliverable&)> precondition) {
  const Deliverable deliverable = deliverable_records.require(context, id);
  if (deliverable.kind == DeliverableKind::KEY_POOL) {
    const std::int64_t free = *context.tx.one(number_of_free_keys(context.tenant, id, free_keys_max));
    if (!take_unreserved(context, deliverable.product_id, free)) throw keys_reserved();
    erase_free_keys(context.tx, context.tenant, id);
  }
  deliverable_records.erase(context, id, precondition);
  note_delivery(context, deliverable.product_id);
}

AddedKeys add_keys(const ActionContext& context, const SecretBox& secrets, const DeliverableId& id,
                   const std::vector<std::string>& lines) {
  const Deliverable pool = require_pool(context, id);
  std::vector<Problem> problems = problems_of(lines);
  const std::int64_t room = free_keys_max - std::ssize(lines);
  if (*context.tx.one(number_of_free_keys(context.tenant, id, free_keys_max)) > room) {
    throw bad_request("TOO_MANY_KEYS", fmt::format("A pool has at most {} keys.", free_keys_max));
  }
  if (problems.empty()) {
    const KeyMaker maker(context, secrets);
    require_able(maker);
    for (std::size_t i = 0; i < lines.size() && problems.size() < problems_named_max; ++i) {
      if (maker.add_free(pool, lines[i])) continue;
      problems.push_back({fmt::format("keys.{}", i), "is known already"});
    }
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  if (!change_stock_by(context, pool.product_id, std::ssize(lines))) throw WriteRace();  // the pool was removed
  const AddedKeys added{.added = std::ssize(lines)};
  context.audit_created({"delivery-keys", pool.id.text()}, added);
  serve_waiting(context, secrets, pool.product_id);
  return added;
}

void delete_key(const ActionContext& context, const DeliveryKeyId& id,
                FunctionRef<void(const DeliveryKey&)> precondition) {
  const auto key = context.tx.one(delivery_key_by_id(context.tenant, id));
  if (!key) throw not_found("Key");
  precondition(*key);
  if (key->status != DeliveryKeyStatus::FREE) throw bad_request("KEY_ASSIGNED", "A buyer has this key.");
  const Deliverable pool = require_pool(context, key->deliverable_id);
  if (!take_unreserved(context, pool.product_id, 1)) throw keys_reserved();
  erase_key(context.tx, *key);
  context.audit_change<DeliveryKey>({"delivery-key", id.text()}, &*key, nullptr);
}

void replace_key(const ActionContext& context, const SecretBox& secrets, const DeliveryKeyId& id) {
  auto key = context.tx.one(delivery_key_by_id(context.tenant, id));
  if (!key) throw not_found("Key");
  if (key->status != DeliveryKeyStatus::ASSIGNED) throw bad_request("KEY_NOT_ASSIGNED", "No buyer has this key.");
  const Deliverable deliverable = deliverable_records.require(context, key->deliverable_id);
  const auto item = context.tx.one(entitlement_by_id(context.tenant, *key->entitlement_id));
  if (!item) throw not_found("Entitlement");
  const DeliveryKey before = *key;
  revoke_key(context, *key);
  context.audit_change({"delivery-key", id.text()}, &before, &*key);
  if (deliverable.kind == DeliverableKind::KEY_GENERATED) {
    const KeyMaker maker(context, secrets);
    require_able(maker);
    maker.give_new(deliverable, *item, 1);
  } else if (!take_from_pool(context, deliverable, *item, 1, 0)) {
    throw bad_request("NO_KEY_LEFT", std::string(no_key_left));
  }
  context.emit(ItemDelivered{*item, id.text()});
}

void send_again(const ActionContext& context, const EntitlementId& id) {
  const auto item = context.tx.one(entitlement_by_id(context.tenant, id));
  if (!item) throw not_found("Entitlement");
  if (item->type != EntitlementType::DIGITAL_ITEM || item->status != EntitlementStatus::GRANTED) {
    throw bad_request("NOTHING_DELIVERED", "Only a digital item that is granted can be sent again.");
  }
  context.audit({"entitlement", id.text()}, "delivery sent again");
  context.emit(ItemDelivered{*item, make_uuid(context.now)});
}

void serve_waiting(const ActionContext& context, const SecretBox& secrets, const ProductId& product) {
  const auto waiting = context.tx.all(waiting_items(context.tenant, product, served_at_once));
  std::int64_t served_units = 0;
  for (const Entitlement& item : waiting) {
    const std::int64_t units = units_waited_for(context, item);
    if (served_units + units > delivered_units_max && served_units > 0) break;
    const std::string_view why_not = give_keys(context, secrets, item, units, 0);
    if (why_not == too_many_units) continue;
    if (!why_not.empty()) return;
    settle_item(context, item, "");
    served_units += units;
  }
  if (served_units == 0) return;
  queue_task(context, waiting_topic, {.product_id = product}, context.now, product.text());  // for those who remain
}

void announce_available(const ActionContext& context, const EntitlementId& id, std::string occasion) {
  const auto item = context.tx.one(entitlement_by_id(context.tenant, id));
  if (!item || item->status != EntitlementStatus::GRANTED) return;
  context.emit(ItemDelivered{*item, std::move(occasion)});
}

void complete_order(const ActionContext& context, const OrderId& id) {
  const auto order = context.tx.one(order_by_id(context.tenant, id));
  if (!order || order->status != OrderStatus::PAID) return;
  const std::vector<ProductId> ids = product_ids(order->items);
  const std::vector<Product> products = products_of(context.tx, context.tenant, ids);
  const auto is_shipped = [](const Product& product) {
    return !product.is_digital && product.delivers == Delivers::NOTHING && !product.membership;
  };
  if (products.size() < ids.size() || std::ranges::any_of(products, is_shipped)) return;
  const auto waits = [](const Entitlement& entitlement) {
    return entitlement.type == EntitlementType::DIGITAL_ITEM && entitlement.status == EntitlementStatus::PENDING;
  };
  if (std::ranges::any_of(context.tx.all(entitlements_of_order(context.tenant, id)), waits)) return;
  move_order(context, *order, OrderStatus::COMPLETE);
}

void subscribe_delivery(Events& events, const std::optional<SecretBox>& secrets) {
  events.subscribe<ItemDue>(
      [&secrets](const ActionContext& context, const ItemDue& due) { deliver_item(context, secrets, due); });
  events.subscribe<EntitlementRevoked>([](const ActionContext& context, const EntitlementRevoked& event) {
    if (event.entitlement.type == EntitlementType::DIGITAL_ITEM) revoke_keys(context, event.entitlement);
  });
  events.subscribe<EntitlementDeleted>([](const ActionContext& context, const EntitlementDeleted& event) {
    if (event.entitlement.type == EntitlementType::DIGITAL_ITEM) revoke_keys(context, event.entitlement);
  });
  events.subscribe<ProductDeleted>([](const ActionContext& context, const ProductDeleted& event) {
    if (event.product.delivers != Delivers::NOTHING) forget_deliverables(context, event.product.id);
  });
}

}  // namespace guildhall
