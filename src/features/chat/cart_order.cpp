#include "features/catalog/product_store.h"
#include "features/chat/checkout.h"
#include "features/chat/formatting.h"
#include "features/discounts/discount_store.h"
#include "features/fund/fund_actions.h"
#include "features/orders/order_actions.h"
#include "features/orders/order_number.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"

namespace guildhall::chat {
namespace {

constexpr std::string_view fund_sku = "COMMUNITY-FUND";

NewOrderItem item_of(const Cart& cart, std::string name, std::string sku) {
  return {.product_id = cart.product_id,
          .name = Text<>{std::move(name)},
          .sku = Key{std::move(sku)},
          .quantity = {cart.quantity},
          .unit_price_cents = cart.unit_price_cents,
          .currency = cart.currency};
}

NewOrderItem donated_item(Tx& tx, const CommandContext& context, const Cart& cart) {
  const FundConfig fund = fund_config_or_default(tx, context.tenant, context.now);
  check_donation_amount(fund, cart.unit_price_cents);
  check_anonymity(fund, cart.anonymous);
  return item_of(cart, "Contribution to the community fund", std::string(fund_sku));
}

// Throws if the product is no longer for sale, or not at the price that the member has seen.
NewOrderItem bought_item(Tx& tx, const CommandContext& context, const Cart& cart) {
  ordered_products_ahead(tx, context.tenant, {{cart.product_id}});  // place_order reads these
  if (cart.discount_code) tx.read_ahead(discount_by_code(context.tenant, *cart.discount_code).query);
  const auto product = tx.one(product_by_id(context.tenant, cart.product_id));
  if (!product || !product->is_active || !may_buy(*product, context.interaction.role_ids)) {
    throw bad_request("NOT_FOR_SALE", "This product is no longer for sale.");
  }
  if (product->price_cents != cart.unit_price_cents || product->currency != cart.currency) {
    throw bad_request(
        "PRICE_CHANGED",
        fmt::format("The price has changed: {} now costs {}. Please start again with `/shop`.", product->name,
                    money_text(product->price_cents, product->currency, context.interaction.locale)));
  }
  return item_of(cart, product->name, product->sku);
}

// The order of the cart, without a number.
NewOrder order_input(Tx& tx, const CommandContext& context, const Cart& cart) {
  NewOrder input;
  input.items.value = {cart.is_donation() ? donated_item(tx, context, cart) : bought_item(tx, context, cart)};
  input.currency = cart.currency;
  input.customer = {
      .name = {context.interaction.display_name}, .email = {}, .chat_id = Key{context.interaction.user_id}};
  input.customer_id = context.customer;
  input.customer_role_ids.value.value = context.interaction.role_ids;
  if (cart.discount_code) input.discount_code = Key{*cart.discount_code};
  input.shipping_address = cart.shipping_address;
  input.anonymous_contribution.value = cart.anonymous;
  if (cart.gift_to) input.gift_to = Key{*cart.gift_to};
  return input;
}

// Throws if the total is not the one that the member has seen, for example because the discount was changed.
Order place(Tx& tx, const Bot& bot, const CommandContext& context, const Cart& cart) {
  const ActionContext action = context.action(tx, bot);
  order_number_ahead(tx, context.tenant);
  NewOrder input = order_input(tx, context, cart);
  input.order_number.value = next_order_number(tx, context.tenant);
  Order order = place_order(action, input);
  if (order.total_cents != cart.total_cents.value_or(order.total_cents)) {
    throw bad_request("TOTAL_CHANGED",
                      fmt::format("The total has changed: it is {} now. Please start again with `/shop`.",
                                  money_text(order.total_cents, order.currency, context.interaction.locale)));
  }
  if (order.total_cents > Cents()) return order;
  return move_order(action, order, OrderStatus::PAID);
}

}  // namespace

Order quote_cart(Tx& tx, const CommandContext& context, const Cart& cart) {
  NewOrder input = order_input(tx, context, cart);
  input.order_number.value = "quote";
  return quote_order(tx, context.tenant, context.actor, input, context.now);
}

CartOrder place_cart_order(Tx& tx, const Bot& bot, const CommandContext& context, const std::string& cart_id) {
  const auto cart = lock_cart(tx, context.tenant, cart_id, context.interaction.user_id);
  if (!cart || cart->expires_at <= context.now) throw not_found("Cart");
  CartOrder result;
  const Instant link_expiry = context.now + invoice_link_lives;
  const bool can_sign = bot.payments.signer().can_sign();
  if (cart->order_id) {
    auto order = tx.one(order_by_id(context.tenant, *cart->order_id));
    if (!order) throw not_found("Order");
    result.order = std::move(*order);
    if (!can_sign || result.order.status != OrderStatus::PENDING_PAYMENT) return result;
    result.invoice_url = sign_invoice_link(tx, bot.payments, context.tenant, result.order.id, link_expiry).url;
  } else {
    result.order = place(tx, bot, context, *cart);
    set_cart_order(tx, *cart, result.order.id);
    if (!can_sign || result.order.status != OrderStatus::PENDING_PAYMENT) return result;
    result.invoice_url = sign_first_invoice_link(bot.payments, context.tenant, result.order.id, link_expiry).url;
  }
  return result;
}

}  // namespace guildhall::chat
