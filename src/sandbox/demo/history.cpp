#include "sandbox/demo/history.h"

#include "base/decimal.h"
#include "features/catalog/product_actions.h"
#include "features/catalog/product_store.h"
#include "features/customers/customer_actions.h"
#include "features/discounts/discount_store.h"
#include "features/entitlements/entitlement_actions.h"
#include "features/entitlements/entitlement_store.h"
#include "features/fulfilment/shipment_actions.h"
#include "features/fund/fund_actions.h"
#include "features/fund/fund_store.h"
#include "features/memberships/membership_actions.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_expiry.h"
#include "features/orders/order_store.h"
#include "features/orders/order_timeline.h"
#include "features/payments/payment_actions.h"
#include "features/payments/payment_store.h"
#include "features/payments/processors/processor_list.h"
#include "features/payments/refunds/refund_actions.h"
#include "features/reports/report_fold.h"
#include "outbox/chat_messages.h"
#include "outbox/message_store.h"
#include "sandbox/demo/catalogue.h"
#include "sandbox/demo/people.h"
#include "sandbox/demo_payment.h"

namespace guildhall::demo {
namespace {

constexpr ReportOrigin processor_api{ReportSource::api, AccountOwner::OPERATOR};
const Actor role_update{ActorKind::SYSTEM, "chat.role", ""};

const ProcessorDescriptor& processor_of(Payer payer) {
  switch (payer) {
    case Payer::wallet:
      return wallet_processor;
    case Payer::app:
      return apppay_processor;
    case Payer::coins:
      return crypto_commerce_processor;
    default:
      return btc_gateway_processor;
  }
}

std::string payment_id_of(const Order& order) {
  return sandbox::demo_payment_id(order.order_number, order.total_cents, order.currency);
}

PostalAddress postal_address(const CustomerAddress& address) {
  return {address.name,  address.line1,       address.line2,   address.city,
          address.state, address.postal_code, address.country, address.phone};
}

// Adds stock just before an order would run out of it.
void restock(const ActionContext& context, const ProductId& id, std::int64_t wanted, std::int64_t delivery) {
  const auto product = context.tx.one(product_by_id(context.tenant, id));
  if (!product || !product->inventory_tracked || product->stock_quantity.value_or(wanted) >= wanted) return;
  change_product(context, id, [&](Product& changed) { *changed.stock_quantity += delivery + wanted; });
}

void count_stock(const ActionContext& context, const std::vector<ProductId>& products) {
  for (std::size_t i = 0; i < products.size(); ++i) {
    const std::int64_t counted = catalogue()[i].counted_at_end;
    if (counted < 0 || !context.tx.one(product_by_id(context.tenant, products[i]))) continue;
    change_product(context, products[i], [&](Product& changed) { changed.stock_quantity = counted; });
  }
}

Customer customer_of(const ActionContext& context, const Person& person, std::size_t index) {
  NewCustomer input;
  input.record.chat_id = person.chat_id;
  input.record.chat_username = person.username;
  input.record.chat_display_name = person.name;
  if (index % 8 != 5) input.record.email = person.email;
  FoundCustomer found = find_or_create_customer(context, input);
  if (!found.created) return std::move(found.customer);
  return change_customer(context, found.customer.id, [&](Customer& fresh) {
    add_address(fresh, person.address);
    set_default_address(fresh, person.address.address_id);
  });
}

bool is_usable(const ActionContext& context, std::string_view code) {
  const auto discount = context.tx.one(discount_by_code(context.tenant, std::string(code)));
  try {
    if (discount) require_usable(*discount, context.now);
  } catch (const Failure&) {
    return false;
  }
  return discount.has_value();
}

// Sales tax on the goods; contributions are not taxed.
void add_tax(const ActionContext& context, const Order& order, const Person& person) {
  const std::int64_t goods = order.total_cents.value() - paid_to_fund(order).value();
  const std::int64_t tax = (goods * person.tax_percent + 50) / 100;
  if (tax == 0) return;
  OrderPatch patch;
  patch.tax_amount_cents.value = Cents(tax);
  change_order(context, order.id, patch, [](const Order&) {});
}

void open_payment(const ActionContext& context, const Order& order, PaymentProvider provider) {
  const OpeningClaim claim = claim_opening(context, order, provider, AccountOwner::OPERATOR);
  if (claim.kind != OpeningClaim::Kind::open) return;
  const std::string id = payment_id_of(order);
  finish_opening(context, claim.payment, {id, "https://pay.example/" + id, context.now + std::chrono::minutes(15)},
                 std::nullopt);
}

void report_payment(const ActionContext& context, const Order& order, PaymentProvider provider,
                    PaymentReport::Kind kind, std::int64_t percent) {
  const Cents amount((order.total_cents.value() * percent + 50) / 100);
  settle_payment(context, provider,
                 {.kind = kind,
                  .provider_payment_id = payment_id_of(order),
                  .order_id = order.id.text(),
                  .amount = decimal_text(amount, order.currency),
                  .currency = std::string(order.currency.code()),
                  .reference = sandbox::demo_transaction_of(payment_id_of(order))},
                 processor_api);
}

// An overpayment was returned by hand; what was missing was paid in cash.
void resolve_flags(const ActionContext& context, const Order& order) {
  for (const Payment& payment : context.tx.all(payments_of_order(context.tenant, order.id))) {
    if (!payment.attention) continue;
    const bool missing = *payment.attention == Attention::UNDERPAID;
    resolve_attention(context, payment.id,
                      missing ? "Paid the rest in cash at the meet-up." : "Asked the buyer: keep it as a tip.");
    if (missing) move_order(context, order, OrderStatus::PAID);
  }
}

void settle_roles(const ActionContext& context, const OrderId& order, bool fails) {
  for (Entitlement& entitlement : context.tx.all(entitlements_of_order(context.tenant, order))) {
    if (entitlement.type != EntitlementType::CHAT_ROLE || entitlement.status != EntitlementStatus::PENDING) continue;
    const Entitlement before = entitlement;
    entitlement.last_attempt_at = context.now;
    if (fails) entitlement.failure_reason = "The buyer is not a member of the chat server.";
    move_to(entitlement, fails ? EntitlementStatus::FAILED : EntitlementStatus::GRANTED, context.now);
    settle_entitlement(context, before, entitlement);
  }
}

Shipment print_label(const ActionContext& context, const Order& order, const Person& person) {
  constexpr std::string_view carriers[] = {"UPS", "DHL", "USPS"};
  const std::size_t number = std::stoull(order.order_number.substr(order_prefix.size())) * 2'654'435'761;
  NewShipment input;
  input.record.order_id = order.id;
  input.record.carrier = carriers[number % std::size(carriers)];
  input.record.service = "Standard";
  input.record.tracking_number = fmt::format("1Z{:012}", number % 1'000'000'000'000);
  input.record.status = ShipmentStatus::LABEL_CREATED;
  input.record.ship_to = postal_address(person.address);
  return create_shipment(context, input);
}

void move_shipment(const ActionContext& context, const ShipmentId& id, ShipmentStatus status) {
  change_shipment(context, id, [&](Shipment& moved) { move_to(moved, status, context.now); });
}

void refund(const ActionContext& context, const Order& order, bool whole) {
  constexpr std::string_view reasons[] = {"Arrived broken", "Ordered twice", "Wrong size", "Changed their mind"};
  RefundInput input;
  if (!whole) input.amount_cents = {order.total_cents.value() / 5};
  const auto number = static_cast<std::size_t>(order.total_cents.value() / 100);
  input.reason = Text<1000>{std::string(whole ? reasons[number % std::size(reasons)] : reasons[0])};
  for (const Refund& begun : begin_refunds(context, order.id, input)) {
    if (begun.status != RefundStatus::PENDING) continue;
    finish_refund(context, begun.id, payment_id_of(order) + "-R", RefundCause::carried_out);
  }
}

CustomerId customer_named(const ActionContext& context, std::size_t index) {
  return customer_of(context, person(index), index).id;
}

void disburse_some(const ActionContext& context, const UserId& approved_by) {
  constexpr std::string_view reasons[] = {"Travel to the autumn night walk", "New batteries for the search team",
                                          "Help after the flood in the workshop"};
  const auto fund = context.tx.one(fund_totals_of(context.tenant));
  if (!fund || fund->balance_cents < 2000) return;
  const auto count = static_cast<std::size_t>(fund->disbursements);
  NewDisbursement input;
  input.recipient_customer_id = customer_named(context, 3 + count);
  input.amount_cents.value = fund->balance_cents * 2 / 5 / 500 * 500;
  input.reason.value = reasons[count % std::size(reasons)];
  disburse(context, approved_by, input);
}

void contribute(const ActionContext& context) {
  NewContribution input;
  input.customer_id = customer_named(context, 0);
  input.amount_cents.value = 7500;
  record_contribution(context, input);
}

// Marks the messages whose ids are in the range as delivered.
void mark_delivered(Tx& tx, const TenantId& tenant, const std::string& first_id, const std::string& last_id,
                    Instant at) {
  constexpr std::int64_t messages_max = 10'000;
  std::vector<std::string> lanes{std::string(chat_role_topic), std::string(chat_message_topic)};
  for (const ProcessorDescriptor* processor : processor_list) {
    lanes.push_back(fmt::format("{}:{}", refund_topic, name_of(processor->provider)));
  }
  const auto locking = tx.has_single_writer() ? outbox::Locking::one_writer : outbox::Locking::skip_locked;
  const Instant due = at + std::chrono::hours(1);  // a refund is due some minutes after its request
  for (const std::string& lane : lanes) {
    for (const outbox::Claim& claim : outbox::claim(tx, locking, {tenant.text(), lane}, due, due, messages_max)) {
      const std::string& id = claim.delivery.id;
      if (id > first_id && id < last_id) {
        outbox::mark_done(tx, claim, at);
      } else {
        outbox::release(tx, claim, claim.delivery.created_at);
      }
    }
  }
}

}  // namespace

std::string order_number(std::size_t index) {
  return fmt::format("{}{}", order_prefix, first_number + index);
}

History::History(const ShopRecords& shop, const Plan& plan, std::size_t first_order)
    : shop_(shop), plan_(plan), first_order_(first_order), records_(plan.orders.size()) {
  subscribe_refunds(events_);
  subscribe_reports(events_);
  subscribe_fund(events_);
  subscribe_entitlements(events_);
  subscribe_memberships(events_);
}

void History::run(Tx& tx, std::span<const Step> steps) {
  if (steps.empty()) return;
  const std::string first_id = make_uuid(steps.front().at);
  for (const Step& step : steps) run_step(tx, step);
  const Instant at = steps.back().at;
  mark_delivered(tx, shop_.tenant, first_id, make_uuid(at), at);
}

Actor History::actor_of(const Step& step) const {
  const auto of_customer = [&] {
    return Actor{ActorKind::CHAT, person(plan_.orders[step.order].customer).chat_id, ""};
  };
  switch (step.kind) {
    case StepKind::place:
    case StepKind::open_payment:
      return of_customer();
    case StepKind::pay:
      if (plan_.orders[step.order].payer == Payer::cash) break;
      return {ActorKind::PROVIDER, std::string(name_of(processor_of(plan_.orders[step.order].payer).provider)), ""};
    case StepKind::expire_payment:
      return {ActorKind::PROVIDER, std::string(name_of(processor_of(plan_.orders[step.order].payer).provider)), ""};
    case StepKind::grant_role:
      return role_update;
    case StepKind::ship:
    case StepKind::fail_parcel:
    case StepKind::deliver:
      return {ActorKind::PROVIDER, "SHIPPING", ""};
    case StepKind::expire:
      return order_expiry_actor();
    case StepKind::refund:
    case StepKind::refund_part:
    case StepKind::resolve_flag:
    case StepKind::contribute:
    case StepKind::disburse:
      return {ActorKind::USER, shop_.owner.text(), ""};
    default:
      break;
  }
  return {ActorKind::USER, shop_.packer.text(), ""};
}

void History::run_step(Tx& tx, const Step& step) {
  const Actor actor = actor_of(step);
  const ActionContext context{tx, events_, shop_.tenant, actor, step.at};
  if (step.kind == StepKind::contribute) return contribute(context);
  if (step.kind == StepKind::disburse) return disburse_some(context, shop_.owner);
  if (step.kind == StepKind::count_stock) return count_stock(context, shop_.products);
  if (step.kind == StepKind::place) return place(context, step.order);
  run_order_step(context, step);
}

Order History::require_order(const ActionContext& context, std::size_t index) const {
  auto order = context.tx.one(order_by_id(context.tenant, records_[index].order));
  if (!order) throw not_found("Order");
  return std::move(*order);
}

void History::place(const ActionContext& context, std::size_t index) {
  const PlannedOrder& planned = plan_.orders[index];
  const Person buyer = person(planned.customer);
  const Customer customer = customer_of(context, buyer, planned.customer);
  NewOrder input;
  input.order_number.value = order_number(first_order_ + index);
  input.customer = {.name = {buyer.name}, .email = {}, .chat_id = Key{buyer.chat_id}};
  if (customer.email) input.customer.email = Email{*customer.email};
  input.customer_id = customer.id;
  bool has_goods = false;
  const Actor packing_actor{ActorKind::USER, shop_.packer.text(), ""};
  const ActionContext packing{context.tx, context.events, context.tenant, packing_actor, context.now};
  for (const PlannedItem& item : planned.items) {
    const CatalogueProduct& product = catalogue()[item.product];
    NewOrderItem& ordered = input.items.value.emplace_back();
    ordered.product_id = shop_.products[item.product];
    ordered.quantity = {item.quantity};
    has_goods = has_goods || !product.is_digital();
    if (product.stock) restock(packing, ordered.product_id, item.quantity, *product.stock);
  }
  if (planned.contribution_cents > 0) {
    input.items.value.push_back({.product_id = ProductId(community_fund_product),
                                 .name = Text<>{"Contribution to the community fund"},
                                 .sku = Key{"COMMUNITY-FUND"},
                                 .quantity = {1},
                                 .unit_price_cents = Cents(planned.contribution_cents),
                                 .currency = {}});
    input.anonymous_contribution.value = planned.anonymous;
  }
  if (has_goods) input.shipping_address = JsonObject{to_json(postal_address(buyer.address))};
  if (!planned.discount_code.empty() && is_usable(context, planned.discount_code)) {
    input.discount_code = Key{std::string(planned.discount_code)};
  }
  const Order order = place_order(context, input);
  if (has_goods) add_tax(context, order, buyer);
  records_[index] = {order.id, {}};
}

void History::run_order_step(const ActionContext& context, const Step& step) {
  const PlannedOrder& planned = plan_.orders[step.order];
  OrderRecords& records = records_[step.order];
  const PaymentProvider provider = processor_of(planned.payer).provider;
  const Order order = require_order(context, step.order);
  switch (step.kind) {
    case StepKind::open_payment:
      return open_payment(context, order, provider);
    case StepKind::pay:
      if (planned.payer == Payer::cash) {
        move_order(context, order, OrderStatus::PAID);
      } else {
        report_payment(context, order, provider, PaymentReport::Kind::paid, planned.paid_percent);
      }
      return;
    case StepKind::expire_payment:
      return report_payment(context, order, provider, PaymentReport::Kind::expired, 0);
    case StepKind::resolve_flag:
      return resolve_flags(context, order);
    case StepKind::grant_role:
      return settle_roles(context, order.id, planned.role_fails);
    case StepKind::fulfil:
      move_order(context, order, OrderStatus::FULFILLING);
      return;
    case StepKind::print_label:
      records.shipment = print_label(context, order, person(planned.customer)).id;
      return;
    case StepKind::ship:
      move_shipment(context, records.shipment, ShipmentStatus::SHIPPED);
      move_order(context, order.id, OrderStatus::SHIPPED);
      return;
    case StepKind::fail_parcel:
      return move_shipment(context, records.shipment, ShipmentStatus::FAILED);
    case StepKind::deliver:
      return move_shipment(context, records.shipment, ShipmentStatus::DELIVERED);
    case StepKind::complete:
      move_order(context, order, OrderStatus::COMPLETE);
      return;
    case StepKind::cancel:
      move_order(context, order, OrderStatus::CANCELLED);
      return;
    case StepKind::expire:
      expire_order(context, order.id);
      return;
    case StepKind::refund:
    case StepKind::refund_part:
      return refund(context, order, step.kind == StepKind::refund);
    default:
      return;
  }
}

}  // namespace guildhall::demo
