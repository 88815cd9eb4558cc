#include "features/messages/message_render.h"

#include "base/money_text.h"
#include "base/time_zone.h"
#include "features/media/branding.h"
#include "features/tenancy/tenant.h"

namespace guildhall {
namespace {

using Type = MessageValue::Type;

constexpr std::size_t named_items_max = 5;

std::string value_of(const MessageValues& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second.text;
}

// A parcel is followed at the carrier; all other messages lead to a page of the shop.
std::string link_of(const MessageParts& parts) {
  const bool is_parcel = parts.kind == MessageKind::ORDER_SHIPPED;
  return parts.text.button.empty() ? "" : value_of(parts.values, is_parcel ? "trackingLink" : "link");
}

std::string direct_of(const MessageParts& parts) {
  const std::string text = direct_text(parts.text.direct, parts.values);
  if (parts.unsubscribe_url.empty()) return text;
  return fmt::format("{}\n-# [{}](<{}>)", text, email_words(parts.text.language).unsubscribe, parts.unsubscribe_url);
}

OrderItem sample_item(std::string name, std::int64_t quantity, std::int64_t cents) {
  OrderItem item;
  item.name.value = std::move(name);
  item.quantity.value = quantity;
  item.unit_price_cents = Cents(cents);
  return item;
}

}  // namespace

ShopLook read_shop_look(Tx& tx, const TenantId& tenant, const std::string& public_base_url) {
  const auto shop = tx.one(tenant_by_id(tenant));
  const auto branding = tx.one(branding_of(tenant));
  ShopLook look{.name = shop ? shop->name : "", .accent_color = "", .logo_url = ""};
  if (!branding) return look;
  look.accent_color = branding->accent_color.value_or("");
  const auto logo = branding->logo ? media_id(branding->logo->thumbnail_url) : std::nullopt;
  if (logo) look.logo_url = public_base_url + media_url(*logo);
  return look;
}

RenderedMessage render(const MessageParts& parts) {
  const std::string subject = subject_line(parts.text.subject, parts.values);
  const MessageMail mail{.language = parts.text.language,
                         .subject = subject.empty() ? parts.shop.name : subject,
                         .shop = parts.shop.name,
                         .accent_color = parts.shop.accent_color,
                         .logo_url = parts.shop.logo_url,
                         .text = email_text(parts.text.email, parts.values),
                         .html = email_html(parts.text.email, parts.values),
                         .button = std::string(parts.text.button),
                         .link = link_of(parts),
                         .receipt = parts.receipt,
                         .unsubscribe_url = parts.unsubscribe_url};
  return {.direct = direct_of(parts),
          .subject = mail.subject,
          .email_text = mail_text_of(mail),
          .email_html = mail_html_of(mail),
          .button = mail.button,
          .link = mail.link};
}

std::string items_text(const Order& order) {
  std::string text;
  for (std::size_t i = 0; i < order.items.size() && i < named_items_max; ++i) {
    const OrderItem& item = order.items[i];
    text += fmt::format("{}{} × {}", i == 0 ? "" : ", ", item.quantity.value, item.name.value);
  }
  return order.items.size() > named_items_max ? text + " …" : text;
}

MessageValues sample_values(MessageKind kind, const std::string& shop, const std::string& public_base_url,
                            Language language, Instant now) {
  const Instant ends_at = now + std::chrono::days(7);
  const MessageValues all{
      {"shop", {Type::text, shop}},
      {"customer", {Type::text, "Ada"}},
      {"order", {Type::text, "GH-1042"}},
      {"total", {Type::text, money_text(sample_order().total_cents, Currency(), code_of(language))}},
      {"items", {Type::text, items_text(sample_order())}},
      {"link", {Type::link, public_base_url + "/orders/invoice/example"}},
      {"carrier", {Type::text, "UPS"}},
      {"trackingNumber", {Type::text, "1Z999AA10123456784"}},
      {"trackingLink", {Type::link, tracking_link("UPS", "1Z999AA10123456784")}},
      {"product", {Type::text, "VIP"}},
      {"reason", {Type::sentence, std::string(role_delay_text(RoleDelay::NOT_A_MEMBER, language))}},
      {"endsAt", {Type::date, date_text(TimeZone().date_of(ends_at), language), ends_at}},
      {"giver", {Type::text, "Grace"}},
      {"delivery",
       {.type = Type::parts,
        .text = {},
        .parts = {{MessagePart::Style::key, language == Language::de ? "Schlüssel" : "Key", "7KQ2-M9XD-4HTP"}}}},
  };
  MessageValues values;
  for (const std::string_view name : placeholders_of(kind)) values.insert(*all.find(name));
  return values;
}

Order sample_order() {
  Order order;
  order.order_number = "GH-1042";
  order.items = {sample_item("Shirt", 2, 1900), sample_item("Mug", 1, 1200)};
  order.subtotal_cents = order.total_cents = Cents(5000);
  return order;
}

}  // namespace guildhall
