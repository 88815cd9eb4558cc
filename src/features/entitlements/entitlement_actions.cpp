#include "features/entitlements/entitlement_actions.h"

#include "audit/audit.h"
#include "features/catalog/product_store.h"
#include "features/customers/customer_store.h"
#include "features/entitlements/entitlement_store.h"
#include "outbox/outbox.h"
#include "storage/record.h"

namespace guildhall {
namespace {

using enum EntitlementStatus;

Entitlement read_entitlement(const ActionContext& context, const EntitlementId& id) {
  auto entitlement = context.tx.one(entitlement_by_id(context.tenant, id));
  if (!entitlement) throw not_found("Entitlement");
  return std::move(*entitlement);
}

// Sets the failure reason of a role that cannot be granted because the entitlement lacks the member or the role.
void note_missing_data(Entitlement& entitlement) {
  const bool waits = entitlement.type == EntitlementType::CHAT_ROLE && entitlement.status == PENDING;
  if (!waits || member_role_of(entitlement)) return;
  entitlement.failure_reason =
      entitlement.role_id ? "It is not known who the buyer is on the chat server." : "The entitlement names no role.";
}

bool add(const ActionContext& context, const Entitlement& entitlement) {
  if (!insert_entitlement(context.tx, entitlement)) return false;
  audit_change<Entitlement>(context.tx, context.tenant, context.actor, {"entitlement", entitlement.id.text()}, nullptr,
                            &entitlement, context.now);
  if (entitlement.status == GRANTED) context.emit(EntitlementGranted{entitlement});
  const auto role = member_role_of(entitlement);
  if (role && wants_role(entitlement)) queue_role(context.tx, context.tenant, *role, context.now);
  return true;
}

// The buyer of an order: the user linked to the customer, else the customer, else the chat user or the order itself.
struct Buyer {
  UserId user;
  std::optional<CustomerId> customer;
  std::optional<std::string> chat_user;
};

Buyer buyer_of(const ActionContext& context, const Order& order) {
  Buyer buyer{UserId(order.id.text()), order.customer_id, order.customer.chat_id};
  if (buyer.chat_user) buyer.user = UserId(*buyer.chat_user);
  std::optional<Customer> customer;
  if (order.customer_id) {
    buyer.user = UserId(order.customer_id->text());
    customer = context.tx.one(customer_by_id(context.tenant, *order.customer_id));
  } else if (buyer.chat_user) {
    customer = context.tx.one(customer_by_chat_id(context.tenant, *buyer.chat_user));
  }
  if (!customer) return buyer;
  buyer.customer = customer->id;
  buyer.user = customer->user_id.value_or(UserId(customer->id.text()));
  if (!buyer.chat_user && !customer->chat_id.empty()) buyer.chat_user = customer->chat_id;
  return buyer;
}

Entitlement entitlement_for(const ActionContext& context, const Order& order, const Buyer& buyer,
                            const Product& product, EntitlementType type) {
  Entitlement made;
  made.id = EntitlementId::make(context.now);
  made.tenant_id = context.tenant;
  made.user_id = buyer.user;
  made.order_id = order.id;
  made.product_id = product.id;
  made.type = type;
  made.customer_id = buyer.customer;
  made.chat_user_id = buyer.chat_user;
  made.created_at = made.updated_at = context.now;
  made.version = {1};
  made.checked_at = {context.now};
  made.source_key.value = fmt::format("{}/{}", order.id.text(), product.id.text());
  return made;
}

void grant_product(const ActionContext& context, const Order& order, const Buyer& buyer, const Product& product) {
  for (const std::string& role : product.granted_role_ids) {
    Entitlement made = entitlement_for(context, order, buyer, product, EntitlementType::CHAT_ROLE);
    made.role_id = role;
    *made.source_key.value += "/role/" + role;
    note_missing_data(made);
    add(context, made);
  }
  if (!product.is_digital) return;
  Entitlement made = entitlement_for(context, order, buyer, product, EntitlementType::DIGITAL_ITEM);
  *made.source_key.value += "/item";
  move_to(made, GRANTED, context.now);  // the record itself is the item, so nothing remains to be done
  add(context, made);
}

}  // namespace

void queue_role(Tx& tx, const TenantId& tenant, const MemberRole& role, Instant now) {
  outbox::append(tx, {.tenant = tenant, .topic = std::string(chat_role_topic), .payload = to_json(role), .due = now},
                 now);
}

void settle_entitlement(const ActionContext& context, const Entitlement& before, Entitlement& after) {
  after.updated_at = context.now;
  update_entitlement(context.tx, after);
  audit_change(context.tx, context.tenant, context.actor, {"entitlement", after.id.text()}, &before, &after,
               context.now);
  if (before.status == after.status) return;
  if (after.status == GRANTED) context.emit(EntitlementGranted{after});
  if (after.status == REVOKED) context.emit(EntitlementRevoked{after});
}

Entitlement create_entitlement(const ActionContext& context, const NewEntitlement& input) {
  Entitlement entitlement = entitlement_from(input, context.tenant, context.now);
  note_missing_data(entitlement);
  add(context, entitlement);
  return entitlement;
}

Entitlement change_entitlement(const ActionContext& context, const EntitlementId& id,
                               FunctionRef<void(Entitlement&)> edit) {
  Entitlement entitlement = read_entitlement(context, id);
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
  const Entitlement entitlement = read_entitlement(context, id);
  precondition(entitlement);
  erase_entitlement(context.tx, entitlement);
  audit_change<Entitlement>(context.tx, context.tenant, context.actor, {"entitlement", id.text()}, &entitlement,
                            nullptr, context.now);
  const auto role = member_role_of(entitlement);
  if (role && wants_role(entitlement)) queue_role(context.tx, context.tenant, *role, context.now);
}

void grant_for_order(const ActionContext& context, const Order& order) {
  std::vector<ProductId> ids;
  for (const OrderItem& item : order.items) ids.push_back(item.product_id);
  const std::vector<Product> products = products_of(context.tx, context.tenant, ids);
  const bool grants = std::any_of(products.begin(), products.end(), [](const Product& product) {
    return product.is_digital || !product.granted_role_ids.empty();
  });
  if (!grants) return;
  const Buyer buyer = buyer_of(context, order);
  for (const Product& product : products) grant_product(context, order, buyer, product);
}

void revoke_for_order(const ActionContext& context, const OrderId& order) {
  for (Entitlement& entitlement : context.tx.all(entitlements_of_order(context.tenant, order))) {
    if (entitlement.status == REVOKED) continue;
    const Entitlement before = entitlement;
    move_to(entitlement, REVOKED, context.now);
    entitlement.failure_reason.reset();
    settle_entitlement(context, before, entitlement);
    const auto role = member_role_of(entitlement);
    if (role) queue_role(context.tx, context.tenant, *role, context.now);
  }
}

void subscribe_entitlements(Events& events) {
  events.subscribe<OrderPaid>(
      [](const ActionContext& context, const OrderPaid& event) { grant_for_order(context, event.order); });
  events.subscribe<OrderRefunded>(
      [](const ActionContext& context, const OrderRefunded& event) { revoke_for_order(context, event.order.id); });
  events.subscribe<OrderCancelled>(
      [](const ActionContext& context, const OrderCancelled& event) { revoke_for_order(context, event.order.id); });
}

}  // namespace guildhall
