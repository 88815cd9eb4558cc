// `/orders` and `/order`: only the member's own orders.
#include "features/chat/command_list.h"
#include "features/chat/formatting.h"
#include "features/orders/order_store.h"
#include "features/payments/invoices/invoice_link.h"

namespace guildhall::chat {
namespace {

constexpr std::int64_t orders_shown = 10;

std::string_view status_text(OrderStatus status) {
  switch (status) {
    case OrderStatus::PENDING_PAYMENT:
      return "awaiting payment";
    case OrderStatus::PAID:
      return "paid";
    case OrderStatus::FULFILLING:
      return "being prepared";
    case OrderStatus::SHIPPED:
      return "shipped";
    case OrderStatus::COMPLETE:
      return "complete";
    case OrderStatus::CANCELLED:
      return "cancelled";
    case OrderStatus::REFUNDED:
      return "refunded";
  }
  return "";
}

bool is_own(const Order& order, const CommandContext& context) {
  const bool same_member = order.customer.chat_id && order.customer.chat_id->value == context.interaction.user_id;
  return order.customer_id == context.customer || same_member;
}

Embed details(const Order& order, std::string_view locale) {
  Embed embed{.title = fmt::format("Order {}", order.order_number)};
  for (const OrderItem& item : order.items) {
    embed.description += fmt::format("{} × {} — {}\n", item.quantity.value, item.name.value,
                                     money_text(line_total(item), order.currency, locale));
  }
  embed.fields.push_back({"Status", std::string(status_text(order.status)), true});
  embed.fields.push_back({"Ordered", date_text(order.created_at), true});
  if (order.discount_amount_cents > Cents()) {
    embed.fields.push_back({"Discount", money_text(order.discount_amount_cents, order.currency, locale), true});
  }
  if (order.tax_amount_cents > Cents()) {
    embed.fields.push_back({"Tax", money_text(order.tax_amount_cents, order.currency, locale), true});
  }
  embed.fields.push_back({"Total", money_text(order.total_cents, order.currency, locale), true});
  if (order.tracking_number) embed.fields.push_back({"Tracking number", *order.tracking_number, true});
  return embed;
}

Task<Answer> show_orders(const Bot& bot, const CommandContext& context) {
  const auto orders = co_await bot.db.all(orders_of_customer(context.tenant, context.customer, {}, orders_shown));
  if (orders.empty()) co_return plain("You have not ordered anything yet. Browse the shop with `/shop`.");
  Embed embed{.title = "Your latest orders", .footer = "For details: /order number:…"};
  for (const Order& order : orders) {
    embed.description += fmt::format("**{}** · {} · {} · {}\n", order.order_number, status_text(order.status),
                                     money_text(order.total_cents, order.currency, context.interaction.locale),
                                     date_text(order.created_at));
  }
  co_return Message{.embeds = {std::move(embed)}};
}

Task<Answer> show_order(const Bot& bot, const CommandContext& context) {
  const std::string number = context.interaction.input("number");
  const auto order = co_await bot.db.one(order_by_number(context.tenant, number));
  if (!order || !is_own(*order, context)) {
    co_return plain("You have no order with that number. See your latest orders with `/orders`.");
  }
  Message message{.embeds = {details(*order, context.interaction.locale)}};
  if (order->status == OrderStatus::PENDING_PAYMENT && bot.payments.signer().can_sign()) {
    const auto link = co_await bot.db.read([&](Tx& tx) {
      return sign_invoice_link(tx, bot.payments, context.tenant, order->id, context.now + invoice_link_lives);
    });
    message.rows.emplace_back(Buttons{{Button::Style::link, "Pay", link.url}});
  }
  co_return message;
}

}  // namespace

CommandGroup order_commands() {
  using Type = CommandOption::Type;
  return {.commands = {{"order", "Show one of your orders", show_order, {{"number", Type::text, "Order number", true}}},
                       {"orders", "Show your latest orders", show_orders}}};
}

}  // namespace guildhall::chat
