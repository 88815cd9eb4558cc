#include "features/messages/alerts/alert_text.h"

#include <fmt/format.h>

#include "base/money_text.h"
#include "features/messages/message_render.h"

namespace guildhall {
namespace {

std::string_view attention_text(Attention attention, bool german) {
  switch (attention) {
    case Attention::UNDERPAID:
      return german ? "Es wurde zu wenig bezahlt." : "Less was paid than is due.";
    case Attention::OVERPAID:
      return german ? "Es wurde zu viel bezahlt." : "More was paid than is due.";
    case Attention::CURRENCY_MISMATCH:
      return german ? "Es wurde in einer anderen Währung bezahlt." : "It was paid in another currency.";
    case Attention::UNKNOWN_ORDER:
      return german ? "Keine Bestellung passt dazu." : "No order fits it.";
    case Attention::LATE:
      return german ? "Die Zahlung kam zu spät." : "The payment came late.";
    case Attention::DUPLICATE:
      return german ? "Die Bestellung war schon bezahlt." : "The order was paid already.";
    case Attention::REFUND_FAILED:
      return german ? "Eine Erstattung ist fehlgeschlagen." : "A refund failed.";
    case Attention::FUND_SHORT:
      break;
  }
  return german ? "Der Gemeinschaftskasse fehlt Geld dafür." : "The community fund does not have the money for it.";
}

std::optional<AlertText> about_order(const std::optional<Order>& order, bool german, std::string_view locale) {
  if (!order) return std::nullopt;
  return AlertText{.title = fmt::format("{} {}: {}", german ? "Neue Bestellung" : "New order", order->order_number,
                                        money_text(order->total_cents, order->currency, locale)),
                   .detail = fmt::format("{} · {}", order->customer.name.value, items_text(*order)),
                   .path = "/console/orders/" + order->id.text()};
}

std::optional<AlertText> about_stock(const std::optional<Product>& product, bool german) {
  if (!product || !product->inventory_tracked || !product->stock_quantity) return std::nullopt;
  const std::int64_t left = *product->stock_quantity;
  if (left > low_stock_max) return std::nullopt;
  const std::string title =
      left == 0 ? fmt::format(fmt::runtime(german ? "{} ist ausverkauft" : "{} is sold out"), product->name)
                : fmt::format(fmt::runtime(german ? "Nur noch {} von {}" : "Only {} left of {}"), left, product->name);
  return AlertText{.title = title, .detail = product->sku, .path = "/console/products/" + product->id.text()};
}

std::optional<AlertText> about_keys(const AlertRecords& records, bool german) {
  if (!records.product || !records.order) return std::nullopt;
  const std::string_view title = german ? "Keine Schlüssel mehr für {}" : "No keys left for {}";
  const std::string_view detail =
      german ? "Die Bestellung {} ist bezahlt und wartet darauf." : "Order {} is paid and waits for them.";
  return AlertText{.title = fmt::format(fmt::runtime(title), records.product->name),
                   .detail = fmt::format(fmt::runtime(detail), records.order->order_number),
                   .path = "/console/products/" + records.product->id.text()};
}

std::optional<AlertText> about_payment(const AlertRecords& records, bool german, std::string_view locale) {
  if (!records.payment || !records.payment->attention) return std::nullopt;
  const Payment& payment = *records.payment;
  const auto currency = Currency::parse(payment.currency);
  const std::string amount = currency ? money_text(payment.amount_cents, *currency, locale) : payment.currency;
  return AlertText{.title = fmt::format("{}: {}{}", german ? "Zahlung prüfen" : "Payment to check", amount,
                                        records.order ? ", " + records.order->order_number : ""),
                   .detail = std::string(attention_text(*payment.attention, german)),
                   .path = "/console/payments?attention=true"};
}

}  // namespace

std::optional<AlertText> alert_text(AlertKind kind, const AlertRecords& records, Language language) {
  const bool german = language == Language::de;
  const std::string_view locale = code_of(language);
  switch (kind) {
    case AlertKind::NEW_ORDER:
      return about_order(records.order, german, locale);
    case AlertKind::LOW_STOCK:
      return about_stock(records.product, german);
    case AlertKind::KEYS_MISSING:
      return about_keys(records, german);
    case AlertKind::FLAGGED_PAYMENT:
      break;
  }
  return about_payment(records, german, locale);
}

std::string_view alert_link_label(Language language) {
  return language == Language::de ? "Ansehen" : "Have a look";
}

}  // namespace guildhall
