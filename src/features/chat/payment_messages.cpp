#include "features/chat/formatting.h"
#include "features/chat/payment_reply.h"

namespace guildhall::chat {
namespace {

EmbedField total_of(const Order& order, std::string_view locale) {
  return {"Total", money_text(order.total_cents, order.currency, locale), true};
}

Embed order_embed(const Order& order, std::string description, std::string_view locale) {
  return {.title = fmt::format("Order {}", order.order_number),
          .description = std::move(description),
          .fields = {total_of(order, locale)}};
}

std::vector<Row> link_row(std::string label, std::string url) {
  return {Buttons{{Button::Style::link, std::move(label), std::move(url)}}};
}

std::int64_t minutes_until(Instant end, Instant now) {
  return std::max<std::int64_t>(0, (end.ms - now.ms + 59'999) / 60'000);
}

}  // namespace

Message deposit_message(const Order& order, const Checkout& checkout, const Deposit& deposit, std::string_view locale,
                        Instant now) {
  Embed embed = order_embed(order, "Send the amount to this address:\n```\n" + deposit.address + "\n```", locale);
  embed.fields.push_back({"Amount", deposit.amount + " BTC", true});
  if (checkout.expires_at) {
    embed.fields.push_back({"Expires in", fmt::format("{} minutes", minutes_until(*checkout.expires_at, now)), true});
  }
  return {.embeds = {std::move(embed)}, .rows = link_row("Open invoice", checkout.url)};
}

Message checkout_message(const Order& order, PaymentMethod method, const Checkout& checkout, std::string_view locale) {
  Embed embed = order_embed(order, "Your order has been placed. Pay for it here:", locale);
  if (checkout.expires_at) embed.fields.push_back({"Until", date_text(*checkout.expires_at), true});
  return {.embeds = {std::move(embed)}, .rows = link_row(std::string(label_of(method)), checkout.url)};
}

Message manual_message(const Order& order, PaymentMethod method, const std::string& instructions,
                       std::string_view locale) {
  const std::string how = instructions.empty() ? "The shop will tell you how to pay." : instructions;
  return {.embeds = {order_embed(order, fmt::format("**{}**\n{}", label_of(method), how), locale)}};
}

Message pay_later_message(const Order& order, const std::string& invoice_url, std::string_view locale) {
  constexpr std::string_view placed =
      "Your order has been placed, but the payment service is not responding at the moment.";
  if (invoice_url.empty()) {
    return {.embeds = {order_embed(
                order, fmt::format("{} Check it later with `/order number:{}`.", placed, order.order_number), locale)}};
  }
  return {.embeds = {order_embed(order, fmt::format("{} Pay later on the invoice page:", placed), locale)},
          .rows = link_row("Pay later", invoice_url)};
}

Message nothing_due(const Order& order) {
  const std::string_view sentence = order.status == OrderStatus::CANCELLED  ? "This order was cancelled."
                                    : order.status == OrderStatus::REFUNDED ? "This order was refunded."
                                    : order.status == OrderStatus::PENDING_PAYMENT
                                        ? "A payment for this order is being processed."
                                        : "Nothing is left to pay. Thank you!";
  return {.embeds = {{.title = fmt::format("Order {}", order.order_number), .description = std::string(sentence)}}};
}

}  // namespace guildhall::chat
