#include "features/entitlements/entitlement_actions.h"

#include "features/catalog/product_store.h"
#include "features/customers/customer_store.h"
#include "outbox/outbox.h"

namespace guildhall {
namespace {

using enum EntitlementStatus;

// Sets the failure reason of a role that cannot be granted because the entitlement lacks the member or the role.
void note_missing_data(Entitlement& entitlement) {
  const bool waits = entitlement.type == EntitlementType::CHAT_ROLE && entitlement.status == PENDING;
  if (!waits || member_role_of(entitlement)) return;
  entitlement.failure_reason =
      entitlement.role_id ? "It is not known who the buyer is on the chat server." : "The entitlement names no role.";
}

// The units of a product that are paid for, and the keys that the order held for them.
struct PaidUnits {
  std::int64_t all = 1, reserved = 0;
};

PaidUnits paid_units(const Order& order, const ProductId& product) {
  PaidUnits units{.all = units_of(order, product)};
  for (const StockTaken& taken : order.stock_taken.value) {
    if (taken.product_id == product && taken.is_keys.value_or(false)) units.reserved = taken.quantity;
  }
  return units;
}

bool add(const ActionContext& context, const Entitlement& entitlement) {
  if (!insert_entitlement(context.tx, entitlement)) return false;
  context.audit_created({"entitlement", entitlement.id.text()}, entitlement);
  if (entitlement.status == GRANTED) context.emit(EntitlementGranted{entitlement});
  if (entitlement.failure_reason) context.emit(EntitlementDelayed{entitlement});
  const auto role = member_role_of(entitlement);
  if (role && wants_role(entitlement)) queue_role(context.tx, context.tenant, *role, context.now);
  return true;
}

void fill(Holder& holder, const Customer& customer) {
  holder.customer = customer.id;
  holder.id = HolderId(customer.user_id ? customer.user_id->text() : customer.id.text());
  if (!holder.chat_user && !customer.chat_id.empty()) holder.chat_user = customer.chat_id;
}

// `source` is the part of the order or of the membership that gives it, once.
Entitlement entitlement_for(const ActionContext& context, const OrderId& order, const Holder& holder,
                            const Product& product, EntitlementType type, const std::string& source) {
  Entitlement made;
  made.id = EntitlementId::make(context.now);
  made.tenant_id = context.tenant;
  made.user_id = holder.id;
  made.order_id = order;
  made.product_id = product.id;
  made.type = type;
  made.customer_id = holder.customer;
  made.chat_user_id = holder.chat_user;
  made.created_at = made.updated_at = context.now;
  made.version = {1};
  made.checked_at = {context.now};
  made.source_key.value = source;
  return made;
}

// The entitlements to a product, as they are when they are new.
std::vector<Entitlement> entitlements_for(const ActionContext& context, const OrderId& order, const Holder& holder,
                                          const Product& product, const std::string& source) {
  std::vector<Entitlement> made;
  for (const std::string& role : product.granted_role_ids) {
    made.push_back(
        entitlement_for(context, order, holder, product, EntitlementType::CHAT_ROLE, source + "/role/" + role));
    made.back().role_id = role;
    note_missing_data(made.back());
  }
  const bool delivers = product.delivers != Delivers::NOTHING;
  if (!product.is_digital && !delivers) return made;
  made.push_back(entitlement_for(context, order, holder, product, EntitlementType::DIGITAL_ITEM, source + "/item"));
  // Otherwise the record itself is the item, and nothing remains to be done.
  if (!delivers) move_to(made.back(), GRANTED, context.now);
  return made;
}

void add_new(const ActionContext& context, const Entitlement& made, const Product& product, const PaidUnits& units) {
  if (!add(context, made) || made.type != EntitlementType::DIGITAL_ITEM || made.status != PENDING) return;
  context.emit(ItemDue{.product = product, .item = made, .units = units.all, .reserved = units.reserved});
}

bool is_same_gift(const Entitlement& a, const Entitlement& b) {
  return a.product_id == b.product_id && a.type == b.type && a.role_id == b.role_id;
}

void revoke(const ActionContext& context, Entitlement& entitlement, std::optional<RevocationReason> reason,
            Instant due) {
  const Entitlement before = entitlement;
  move_to(entitlement, REVOKED, context.now);
  entitlement.failure_reason.reset();
  entitlement.reason = reason;
  settle_entitlement(context, before, entitlement);
  const auto role = member_role_of(entitlement);
  if (role) queue_role(context.tx, context.tenant, *role, context.now, due);
}

std::vector<Entitlement> held_entitlements(const ActionContext& context, const MembershipId& membership) {
  auto held = context.tx.all(entitlements_of_membership(context.tenant, membership));
  std::erase_if(held, [](const Entitlement& entitlement) { return entitlement.status == REVOKED; });
  return held;
}

void extend(const ActionContext& context, Entitlement& entitlement, Instant expires_at, bool try_again) {
  const Entitlement before = entitlement;
  entitlement.expires_at = expires_at;
  const bool retries = try_again && entitlement.status == FAILED;
  if (retries) {
    move_to(entitlement, PENDING, context.now);
    entitlement.failure_reason.reset();
    note_missing_data(entitlement);
  }
  if (!needs_write(before, entitlement)) return;
  settle_entitlement(context, before, entitlement);
  const auto role = member_role_of(entitlement);
  if (retries && role) queue_role(context.tx, context.tenant, *role, context.now);
}

}  // namespace

void queue_role(Tx& tx, const TenantId& tenant, const MemberRole& role, Instant now, std::optional<Instant> due) {
  outbox::append(
      tx, {.tenant = tenant, .topic = std::string(chat_role_topic), .payload = to_json(role), .due = due.value_or(now)},
      now);
}

Holder holder_of(const ActionContext& context, const std::string& chat_user) {
  Holder holder{HolderId(chat_user), {}, chat_user};
  const auto customer = context.tx.one(customer_by_chat_id(context.tenant, chat_user));
  if (customer) fill(holder, *customer);
  return holder;
}

Holder holder_of(const ActionContext& context, const Order& order) {
  if (order.gift_to) return holder_of(context, *order.gift_to);
  if (!order.customer_id && order.customer.chat_id) return holder_of(context, order.customer.chat_id->value);
  Holder holder{HolderId(order.id.text()), order.customer_id, order.customer.chat_id};
  if (!order.customer_id) return holder;
  holder.id = HolderId(order.customer_id->text());
  const auto customer = context.tx.one(customer_by_id(context.tenant, *order.customer_id));
  if (customer) fill(holder, *customer);
  return holder;
}

void settle_entitlement(const ActionContext& context, const Entitlement& before, Entitlement& after) {
  after.updated_at = context.now;
  update_entitlement(context.tx, after);
  context.audit_change({"entitlement", after.id.text()}, &before, &after);
  if (before.status == after.status) return;
  if (after.status == GRANTED) context.emit(EntitlementGranted{after});
  if (after.status == FAILED) context.emit(EntitlementDelayed{after});
  if (after.status == REVOKED) context.emit(EntitlementRevoked{after});
}

Entitlement create_entitlement(const ActionContext& context, const NewEntitlement& input) {
  Entitlement entitlement = entitlement_from(input, context.tenant, context.now);
  note_missing_data(entitlement);
  const auto product = entitlement.type == EntitlementType::DIGITAL_ITEM && entitlement.status == PENDING
                           ? context.tx.one(product_by_id(context.tenant, entitlement.product_id))
                           : std::nullopt;
  if (!product || product->delivers == Delivers::NOTHING) {
    add(context, entitlement);
    return entitlement;
  }
  add_new(context, entitlement, *product, {});
  return entitlement_records.require(context, entitlement.id);
}

Entitlement change_entitlement(const ActionContext& context, const EntitlementId& id,
                               FunctionRef<void(Entitlement&)> edit) {
  Entitlement entitlement = entitlement_records.require(context, id);
  const Entitlement before = entitlement;
  edit(entitlement);
  const auto was = member_role_of(before), is = member_role_of(entitlement);
  const bool moved = before.status != entitlement.status;
  if (moved || was != is) entitlement.failure_reason.reset();
  note_missing_data(entitlement);
  if (!needs_write(before, entitlement)) return before;
  settle_entitlement(context, before, entitlement);
  if (was && was != is) queue_role(context.tx, context.tenant, *was, context.now);
  if (is && (moved || was != is)) queue_role(context.tx, context.tenant, *is, context.now);
  return entitlement;
}

void delete_entitlement(const ActionContext& context, const EntitlementId& id,
                        FunctionRef<void(const Entitlement&)> precondition) {
  const Entitlement entitlement = entitlement_records.erase(context, id, precondition);
  context.emit(EntitlementDeleted{entitlement});
  const auto role = member_role_of(entitlement);
  if (role && wants_role(entitlement)) queue_role(context.tx, context.tenant, *role, context.now);
}

void grant_for_order(const ActionContext& context, const Order& order) {
  const std::vector<Product> products = products_of(context.tx, context.tenant, product_ids(order.items));
  const auto grants = [](const Product& product) {
    return product.membership || product.is_digital || product.delivers != Delivers::NOTHING ||
           !product.granted_role_ids.empty();
  };
  if (std::none_of(products.begin(), products.end(), grants)) return;
  const Holder holder = holder_of(context, order);
  for (const Product& product : products) {
    if (product.membership) {
      context.emit(MembershipPaid{order, product, holder});
      continue;
    }
    const std::string source = fmt::format("{}/{}", order.id.text(), product.id.text());
    const PaidUnits units = paid_units(order, product.id);
    for (const Entitlement& made : entitlements_for(context, order.id, holder, product, source)) {
      add_new(context, made, product, units);
    }
  }
}

void grant_membership(const ActionContext& context, const MembershipGrant& grant) {
  auto held = held_entitlements(context, grant.membership);
  const std::string source = fmt::format("{}/{}", grant.membership.text(), make_uuid(context.now));
  for (Entitlement& wanted : entitlements_for(context, grant.order, grant.holder, grant.product, source)) {
    const auto same = std::ranges::find_if(held, [&](const Entitlement& have) { return is_same_gift(have, wanted); });
    if (same != held.end()) {
      extend(context, *same, grant.expires_at, true);
      held.erase(same);
      continue;
    }
    wanted.membership_id = grant.membership;
    wanted.expires_at = grant.expires_at;
    add_new(context, wanted, grant.product, {});
  }
  for (Entitlement& other : held) revoke(context, other, RevocationReason::PLAN_CHANGED, context.now);
}

void set_membership_end(const ActionContext& context, const MembershipId& membership, Instant expires_at) {
  for (Entitlement& entitlement : held_entitlements(context, membership)) {
    extend(context, entitlement, expires_at, false);
  }
}

void revoke_membership(const ActionContext& context, const MembershipId& membership, RevocationReason reason,
                       Instant due) {
  for (Entitlement& entitlement : held_entitlements(context, membership)) revoke(context, entitlement, reason, due);
}

void revoke_for_order(const ActionContext& context, const OrderId& order) {
  for (Entitlement& entitlement : context.tx.all(entitlements_of_order(context.tenant, order))) {
    if (entitlement.status == REVOKED || entitlement.membership_id) continue;
    revoke(context, entitlement, std::nullopt, context.now);
  }
}

void subscribe_entitlements(Events& events) {
  events.subscribe<OrderAnnounced>([](const ActionContext& context, const OrderAnnounced& event) {
    if (event.is_paid) products_ahead(context.tx, context.tenant, event.products);
  });
  events.subscribe<OrderPaid>(
      [](const ActionContext& context, const OrderPaid& event) { grant_for_order(context, event.order); });
  events.subscribe<OrderRefunded>(
      [](const ActionContext& context, const OrderRefunded& event) { revoke_for_order(context, event.order.id); });
  events.subscribe<OrderCancelled>(
      [](const ActionContext& context, const OrderCancelled& event) { revoke_for_order(context, event.order.id); });
}

}  // namespace guildhall
