#include "features/chat/checkout.h"

#include "features/chat/command_list.h"
#include "features/chat/formatting.h"
#include "features/chat/payment_reply.h"
#include "features/payments/methods/payment_method_store.h"

namespace guildhall::chat {
namespace {

constexpr std::string_view pay_step = "pay";  // argument: a cart; chosen: a payment method

// The methods that a member can choose: enabled ones, and of those with a processor only configured ones.
std::vector<StoredMethod> usable(const Bot& bot, std::vector<StoredMethod> methods) {
  std::erase_if(methods, [&](const StoredMethod& stored) {
    return !stored.enabled || (has_processor(stored.method) &&
                               !bot.payments.accounts().account(stored.tenant_id, stored.method, &stored).configured());
  });
  return methods;
}

// `quote` is the order that the cart would become.
Embed summary(const CommandContext& context, const Cart& cart, const Order& quote, const std::string& what) {
  const auto money = [&](Cents amount) { return money_text(amount, quote.currency, context.interaction.locale); };
  Embed embed{.title = cart.is_donation() ? "Your donation" : "Your order"};
  if (cart.is_donation()) {
    embed.fields.push_back({"Amount", money(quote.total_cents), true});
    embed.fields.push_back({"Shown as", cart.anonymous ? "Anonymous" : context.interaction.display_name, true});
    return embed;
  }
  embed.fields.push_back({"Product", fmt::format("{} × {}", cart.quantity, what)});
  if (cart.gift_to) embed.fields.push_back({"Gift for", fmt::format("<@{}>", *cart.gift_to)});
  if (quote.discount_amount_cents > Cents()) {
    embed.fields.push_back({"Subtotal", money(quote.subtotal_cents), true});
    embed.fields.push_back({fmt::format("Discount ({})", cart.discount_code.value_or("")),
                            "−" + money(quote.discount_amount_cents), true});
  }
  embed.fields.push_back({"Total", money(quote.total_cents), true});
  return embed;
}

PaymentReply payment_reply(const Bot& bot, const CommandContext& context, const CartOrder& placed,
                           PaymentMethod method) {
  const InteractionAddress address = reply_address(bot, context.interaction);
  return {.application_id = address.application_id,
          .token = address.token,
          .chat_user_id = context.interaction.user_id,
          .locale = context.interaction.locale,
          .order_id = placed.order.id,
          .method = method,
          .invoice_url = placed.invoice_url};
}

struct PlacedOrder {
  CartOrder placed;
  PaymentReply reply;
  std::string fallback;  // the id of the outbox message that opens the payment if this process dies; may be empty
};

// Places the order and, in the same transaction, queues the outbox message that opens its payment.
PlacedOrder place_with_reply(Tx& tx, const Bot& bot, const CommandContext& context, const std::string& cart,
                             PaymentMethod method) {
  PlacedOrder result{.placed = place_cart_order(tx, bot, context, cart), .reply = {}, .fallback = {}};
  result.reply = payment_reply(bot, context, result.placed, method);
  const bool has_payment = has_processor(method) && result.placed.order.status == OrderStatus::PENDING_PAYMENT;
  if (has_payment && can_be_edited({result.reply.application_id, result.reply.token})) {
    result.fallback = queue_payment_reply(tx, context.tenant, result.reply, context.now);
  }
  return result;
}

// Somebody may create an order by hand with the number that this one would have; the next attempt takes another.
Task<PlacedOrder> place_again_if_taken(const Bot& bot, const CommandContext& context, const std::string& cart,
                                       PaymentMethod method) {
  constexpr int attempts_max = 5;
  for (int attempt = 1;; ++attempt) {
    try {
      co_return co_await bot.db.write([&](Tx& tx) { return place_with_reply(tx, bot, context, cart, method); });
    } catch (const Failure& failure) {
      if (failure.code != "ORDER_NUMBER_TAKEN" || attempt == attempts_max) throw;
    }
  }
}

// Orders the cart, once, and says how to pay the order.
Task<Answer> order_cart(const Bot& bot, const CommandContext& context, const Step& step) {
  if (context.interaction.chosen.empty()) co_return out_of_date();
  const auto chosen = named<PaymentMethod>(context.interaction.chosen.front());
  auto methods = usable(bot, co_await bot.db.all(stored_methods(context.tenant)));
  std::erase_if(methods, [&](const StoredMethod& stored) { return stored.method != chosen; });
  if (methods.empty()) co_return plain("This payment method is no longer available. Please choose another one.");
  const StoredMethod& method = methods.front();

  const PlacedOrder ordered = co_await place_again_if_taken(bot, context, step.argument, method.method);
  const Order& order = ordered.placed.order;
  if (order.status != OrderStatus::PENDING_PAYMENT) co_return nothing_due(order);
  if (!has_processor(method.method)) {
    co_return manual_message(order, method.method, method.settings.instructions.value_or(""),
                             context.interaction.locale);
  }
  const auto open = [&db = bot.db, &payments = bot.payments, actor = context.actor, order, reply = ordered.reply] {
    return open_payment(db, payments, actor, order, reply);
  };
  co_return co_await answer_or_defer(bot, context, open, ordered.fallback);
}

}  // namespace

Cart new_cart(const CommandContext& context, const ProductId& product, Cents unit_price, Currency currency) {
  return {.tenant_id = context.tenant,
          .id = make_uuid(context.now),
          .chat_user_id = context.interaction.user_id,
          .product_id = product,
          .quantity = 1,
          .unit_price_cents = unit_price,
          .currency = currency,
          .discount_code = {},
          .shipping_address = {},
          .anonymous = false,
          .order_id = {},
          .expires_at = context.now + component_lifetime};
}

Task<Answer> ask_payment(const Bot& bot, const CommandContext& context, Cart cart, const std::string& what) {
  const auto methods = usable(bot, co_await bot.db.all(stored_methods(context.tenant)));
  if (methods.empty()) co_return plain("This shop does not accept payments yet. Please let its owner know.");
  const Order quote = co_await bot.db.write([&](Tx& tx) {
    Order order = quote_cart(tx, context, cart);
    cart.total_cents = order.total_cents;
    insert_cart(tx, cart);
    return order;
  });
  Select select{custom_id(bot, context, pay_step, cart.id), "How do you want to pay?", {}};
  for (const StoredMethod& stored : methods) {
    select.options.push_back({std::string(label_of(stored.method)), std::string(name_of(stored.method))});
  }
  co_return Message{.embeds = {summary(context, cart, quote, what)}, .rows = {std::move(select)}};
}

CommandGroup checkout_commands() {
  return {.steps = {{pay_step, order_cart}}};
}

}  // namespace guildhall::chat
