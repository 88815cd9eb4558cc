#include "features/chat/checkout.h"

#include "base/log.h"
#include "features/chat/cart_order.h"
#include "features/chat/payment_messages.h"
#include "features/chat/words.h"
#include "features/payments/payment_method_store.h"

namespace guildhall::chat {
namespace {

// The methods that a member can choose: enabled, and with all that a processor needs to know.
std::vector<StoredMethod> usable(const Bot& bot, std::vector<StoredMethod> methods) {
  std::erase_if(methods, [&](const StoredMethod& stored) {
    return !stored.enabled || (has_processor(stored.method) &&
                               !bot.payments.accounts().account(stored.tenant_id, stored.method, &stored).configured());
  });
  return methods;
}

Embed summary(const Visit& visit, const Cart& cart, const std::string& what) {
  const std::string& locale = visit.interaction.locale;
  Embed embed{.title = cart.is_donation() ? "Your donation" : "Your order"};
  const Cents sum = cart.unit_price_cents * cart.quantity;
  if (cart.is_donation()) {
    embed.fields.push_back({"Amount", money_text(sum, cart.currency, locale), true});
    embed.fields.push_back({"Shown as", cart.anonymous ? "Anonymous" : visit.interaction.display_name, true});
    return embed;
  }
  embed.fields.push_back({"Product", fmt::format("{} × {}", cart.quantity, what)});
  embed.fields.push_back({"Sum", money_text(sum, cart.currency, locale), true});
  if (cart.discount_code) embed.fields.push_back({"Discount code", *cart.discount_code, true});
  embed.footer = "A discount is taken off when you order.";
  return embed;
}

// Without one there is still the processor's page.
Task<std::optional<Deposit>> deposit_of(const Bot& bot, const Order& order, PaymentMethod method,
                                        const Checkout& checkout) {
  if (method != PaymentMethod::BTC_GATEWAY) co_return std::nullopt;
  try {
    co_return co_await bot.payments.deposit(bot.db, order.tenant_id, method, checkout);
  } catch (const std::exception& failure) {
    log::warn("chat: no deposit address", {{"order", order.id.text()}, {"error", failure.what()}});
  }
  co_return std::nullopt;
}

// Opens the payment and says how to make it. When the processor does not answer, the order stands and the invoice page
// is there for later.
Task<Message> open_payment(const Bot& bot, Actor actor, CartOrder placed, PaymentMethod method, std::string locale) {
  const std::string back = placed.invoice_url.empty() ? bot.config.public_base_url : placed.invoice_url + "/return";
  try {
    const auto checkout = co_await bot.payments.open(bot.db, actor, placed.order, method, back);
    if (!checkout) co_return nothing_due(placed.order);
    const auto deposit = co_await deposit_of(bot, placed.order, method, *checkout);
    co_return deposit ? deposit_message(placed.order, *checkout, *deposit, locale, now())
                      : checkout_message(placed.order, method, *checkout, locale);
  } catch (const std::exception& failure) {  // the processor's, or our threads'
    log::warn("chat: a payment was not opened", {{"tenant", placed.order.tenant_id.text()},
                                                 {"order", placed.order.id.text()},
                                                 {"method", name_of(method)},
                                                 {"error", failure.what()}});
  }
  co_return pay_later_message(placed.order, placed.invoice_url, locale);
}

}  // namespace

Cart new_cart(const Visit& visit, const ProductId& product, Cents unit_price, Currency currency) {
  return {.tenant_id = visit.tenant,
          .id = make_uuid(visit.now),
          .chat_user_id = visit.interaction.user_id,
          .product_id = product,
          .quantity = 1,
          .unit_price_cents = unit_price,
          .currency = currency,
          .discount_code = {},
          .shipping_address = {},
          .anonymous = false,
          .order_id = {},
          .expires_at = visit.now + components_live};
}

Task<Answer> ask_payment(const Bot& bot, const Visit& visit, const Cart& cart, const std::string& what) {
  const auto methods = usable(bot, co_await bot.db.all(stored_methods(visit.tenant)));
  if (methods.empty()) co_return plain("This shop takes no payments yet. Please tell the people who run it.");
  const Embed shown = summary(visit, cart, what);  // throws for a sum that is no amount any more
  co_await bot.db.write([&](Tx& tx) { insert_cart(tx, cart); });
  Select select{id_of(bot, visit, {std::string(steps::pay), cart.id}), "How do you want to pay?", {}};
  for (const StoredMethod& stored : methods) {
    select.options.push_back({std::string(label_of(stored.method)), std::string(name_of(stored.method))});
  }
  co_return Message{.embeds = {shown}, .rows = {std::move(select)}};
}

Task<Answer> order_cart(const Bot& bot, const Visit& visit, const Step& step) {
  if (visit.interaction.chosen.empty()) co_return out_of_date();
  const auto chosen = named<PaymentMethod>(visit.interaction.chosen.front());
  auto methods = usable(bot, co_await bot.db.all(stored_methods(visit.tenant)));
  std::erase_if(methods, [&](const StoredMethod& stored) { return stored.method != chosen; });
  if (methods.empty()) co_return plain("This way to pay is not offered any more. Please choose another.");
  const StoredMethod& method = methods.front();

  const CartOrder placed =
      co_await bot.db.write([&](Tx& tx) { return place_cart_order(tx, bot, visit, step.argument); });
  const std::string& locale = visit.interaction.locale;
  if (placed.order.status != OrderStatus::PENDING_PAYMENT) co_return nothing_due(placed.order);
  if (!has_processor(method.method)) {
    co_return manual_message(placed.order, method.method, method.settings.instructions.value_or(""), locale);
  }
  co_return co_await in_time(bot, visit, [&bot, actor = visit.actor, placed, method = method.method, locale] {
    return open_payment(bot, actor, placed, method, locale);
  });
}

}  // namespace guildhall::chat
