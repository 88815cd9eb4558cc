#include "features/payments/invoices/invoice_page.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/money_text.h"
#include "base/text.h"
#include "features/media/branding.h"
#include "features/payments/invoices/invoice_style.h"
#include "features/payments/invoices/invoice_words.h"

namespace guildhall {
namespace {

std::string hash_source(std::string_view style) {
  const Sha256 digest = sha256(style);
  return fmt::format("'sha256-{}'",
                     base64(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size())));
}

// Times are written in the shop's time zone. A browser with JavaScript shows them in the buyer's own.
constexpr std::string_view time_script = R"(
const f=new Intl.DateTimeFormat(document.documentElement.lang,{dateStyle:"long",timeStyle:"short"});
for(const t of document.querySelectorAll("time"))t.textContent=f.format(new Date(t.dateTime));
)";

std::string content_policy(const std::string& shop_style, const std::vector<std::string>& form_targets) {
  static const std::string style_source = hash_source(invoice_style), script_source = hash_source(time_script);
  std::string targets;
  for (const std::string& target : form_targets) targets += " " + target;
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}{}; img-src 'self' data:; form-action 'self'{}; base-uri 'none'; "
      "frame-ancestors 'none'",
      script_source, style_source, shop_style.empty() ? "" : " " + hash_source(shop_style), targets);
}

// The shop's colour, with a colour of text that can be read on it.
std::string shop_style_of(const std::string& accent_color) {
  if (!is_color(accent_color)) return "";
  return fmt::format(":root{{--brand:{};--brand-ink:{}}}", accent_color, text_color_on(accent_color));
}

struct PageParts {
  int status = 200;
  Language language = Language::en;
  std::string_view title;
  const std::string& body;  // HTML
  std::vector<std::string> form_targets{};
  std::string shop_style{};
};

http::Reply page_reply(const PageParts& page) {
  http::Reply reply{.status = page.status, .content_type = "text/html; charset=utf-8"};
  reply.body = fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n{}</head>\n<body>\n"
      "<div class=\"sheet\">\n{}</div>\n<script>{}</script>\n</body>\n</html>\n",
      code_of(page.language), html_escaped(page.title), invoice_style,
      page.shop_style.empty() ? "" : fmt::format("<style>{}</style>\n", page.shop_style), page.body, time_script);
  reply.with("Content-Security-Policy", content_policy(page.shop_style, page.form_targets));
  reply.with("X-Robots-Tag", "noindex, nofollow");
  return reply;
}

std::string money(Cents amount, const InvoicePageView& view) {
  return html_escaped(money_text(amount, view.order.currency, code_of(view.language)));
}

std::string time_element(Instant instant, const InvoicePageView& view) {
  return fmt::format("<time datetime=\"{}\">{}</time>", to_string(instant),
                     date_time_text(instant, view.time_zone, view.language));
}

// A picture for show only: the text beside it says the same. Nothing for a path that is not one of ours.
std::string image(const Picture& picture, std::string_view css_class) {
  const auto id = media_id(picture.thumbnail_url);
  return id ? fmt::format("<img class=\"{}\" src=\"{}\" alt=\"\">", css_class, media_url(*id)) : "";
}

// If any item has a picture, the others have an empty place, so that their names are in one line.
std::string item_image(const OrderItem& item, const InvoicePageView& view) {
  if (view.images.empty()) return "";
  const auto found = view.images.find(item.product_id.text());
  return found == view.images.end() ? "<span class=\"thumb\"></span>" : image(found->second, "thumb");
}

std::string item_row(const OrderItem& item, const InvoicePageView& view) {
  return fmt::format(
      "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\"><span class=\"item\">{}<span>{}<span "
      "class=\"sku\">{}</span></span></span></th>"
      "<td role=\"cell\" class=\"quantity\">{}</td><td role=\"cell\" class=\"unit\">{}</td>"
      "<td role=\"cell\">{}</td></tr>\n",
      item_image(item, view), html_escaped(item.name.value), html_escaped(item.sku.value), item.quantity.value,
      money(item.unit_price_cents, view), money(line_total(item), view));
}

std::string sum_row(std::string_view name, const std::string& amount, std::string_view css_class) {
  return fmt::format(
      "<tr role=\"row\" class=\"{}\"><th role=\"rowheader\" scope=\"row\" colspan=\"3\">{}</th>"
      "<td role=\"cell\">{}</td></tr>\n",
      css_class, html_escaped(name), amount);
}

std::string sums(const InvoicePageView& view) {
  const Order& order = view.order;
  const InvoiceWords& words = invoice_words(view.language);
  std::string rows = sum_row(words.subtotal, money(order.subtotal_cents, view), "subtotal");
  if (order.discount_amount_cents > Cents()) {
    const std::string name =
        fmt::format("{}{}", words.discount, order.discount_code ? " (" + *order.discount_code + ")" : "");
    rows += sum_row(name, "−" + money(order.discount_amount_cents, view), "discount");
  }
  if (order.tax_amount_cents > Cents()) rows += sum_row(words.tax, money(order.tax_amount_cents, view), "tax");
  return rows + sum_row(words.total, money(order.total_cents, view), "total");
}

// The roles are written out because the layout for phones (display: grid) would otherwise remove them.
std::string items_table(const InvoicePageView& view, std::string_view caption) {
  const InvoiceWords& words = invoice_words(view.language);
  std::string rows;
  for (const OrderItem& item : view.order.items) rows += item_row(item, view);
  return fmt::format(
      "<table role=\"table\"{}>\n<caption>{}</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">"
      "<th role=\"columnheader\" scope=\"col\">{}</th><th role=\"columnheader\" scope=\"col\">{}</th>"
      "<th role=\"columnheader\" scope=\"col\">{}</th><th role=\"columnheader\" scope=\"col\">{}</th>"
      "</tr></thead>\n<tbody role=\"rowgroup\">\n{}</tbody>\n<tfoot role=\"rowgroup\">\n{}</tfoot>\n</table>\n",
      view.images.empty() ? "" : " class=\"pictured\"", caption, words.item, words.quantity, words.unit_price,
      words.subtotal, rows, sums(view));
}

std::string state_box(std::string_view css_class, std::string_view sentence) {
  return fmt::format("<div class=\"state{}\" role=\"status\"><p>{}</p></div>\n", css_class, sentence);
}

std::string buttons(const InvoicePageView& view) {
  if (view.methods.empty()) return "";
  const InvoiceWords& words = invoice_words(view.language);
  std::string list;
  for (const PaymentMethod method : view.methods) {
    list += fmt::format(
        "<li><form method=\"post\" action=\"/orders/invoice/{}/pay/{}\"><button "
        "type=\"submit\">{}</button></form></li>\n",
        html_escaped(view.token), name_of(method), html_escaped(method_label(label_of(method), view.language)));
  }
  return fmt::format(
      "<div class=\"screen\">\n<ul class=\"pay\">\n{}</ul>\n"
      "<p class=\"note\">{} <a href=\"/orders/invoice/{}/return\">{}</a></p>\n</div>\n",
      list, words.paid_already, html_escaped(view.token), words.check_payment);
}

// Text without buttons: these methods are paid outside of this page.
std::string manual_methods(const InvoicePageView& view) {
  if (view.manual.empty()) return "";
  const InvoiceWords& words = invoice_words(view.language);
  std::string list;
  for (const ManualMethod& each : view.manual) {
    list +=
        fmt::format("<li><h3>{}</h3><p>{}</p></li>\n", html_escaped(method_label(label_of(each.method), view.language)),
                    each.instructions.empty() ? words.ask_shop : html_escaped(each.instructions));
  }
  return fmt::format("{}<ul class=\"manual\">\n{}</ul>\n<p class=\"note\">{}</p>\n",
                     view.methods.empty() ? "" : fmt::format("<h3 class=\"or screen\">{}</h3>\n", words.pay_directly),
                     list, fmt::format(fmt::runtime(words.name_order), html_escaped(view.order.order_number)));
}

std::string delivered_value(const DeliveredPart& part, const std::string& value) {
  const std::string text = html_escaped(value);
  switch (part.kind) {
    case DeliverableKind::LINK:
      return fmt::format("<p><a href=\"{0}\" rel=\"noopener noreferrer\">{0}</a></p>\n", text);
    case DeliverableKind::TEXT:
      return fmt::format("<p>{}</p>\n", text);
    case DeliverableKind::KEY_POOL:
    case DeliverableKind::KEY_GENERATED:
      break;
  }
  return fmt::format("<code>{}</code>\n", text);
}

std::string delivered_part(const DeliveredPart& part, const InvoicePageView& view) {
  std::string html = fmt::format("<h4>{}</h4>\n", html_escaped(part.name));
  if (part.available_at) {
    const std::string_view words = invoice_words(view.language).available_from;
    html += fmt::format("<p>{}</p>\n", fmt::format(fmt::runtime(words), time_element(*part.available_at, view)));
  }
  for (const std::string& value : part.values) html += delivered_value(part, value);
  return html;
}

// The keys, links and texts that were bought.
std::string delivered_section(const InvoicePageView& view) {
  if (view.delivered.empty()) return "";
  std::string list;
  for (const DeliveredItem& item : view.delivered) {
    list += fmt::format("<li><h3>{}</h3>\n", html_escaped(item.product));
    for (const DeliveredPart& part : item.parts) list += delivered_part(part, view);
    list += "</li>\n";
  }
  return fmt::format(
      "<section class=\"delivered\" aria-labelledby=\"delivered\">\n<h2 id=\"delivered\">{}</h2>\n<ul "
      "class=\"manual\">\n{}</ul>\n</section>\n",
      invoice_words(view.language).digital_items, list);
}

std::string ways_to_pay(const InvoicePageView& view) {
  const std::string ways = buttons(view) + manual_methods(view);
  return ways.empty() ? fmt::format("<p>{}</p>\n", invoice_words(view.language).cannot_pay) : ways;
}

std::string link_button(std::string_view address, const InvoicePageView& view, std::string_view label) {
  return fmt::format("<p class=\"screen\"><a class=\"button\" href=\"{}\">{}</a></p>\n",
                     fmt::format(fmt::runtime(address), html_escaped(view.token)), label);
}

// The state of the payment, or the ways to pay.
std::string payment_section(const InvoicePageView& view) {
  const Order& order = view.order;
  const InvoiceWords& words = invoice_words(view.language);
  if (order.status == OrderStatus::CANCELLED) return state_box("", words.cancelled);
  if (order.status == OrderStatus::REFUNDED) return state_box("", words.refunded);
  if (order.status != OrderStatus::PENDING_PAYMENT) {
    if (!order.paid_at) return state_box(" good", words.paid);
    return state_box(" good",
                     fmt::format("{} {} {}.", words.paid, words.received_on, time_element(*order.paid_at, view))) +
           link_button("/orders/receipt/{}", view, words.show_receipt);
  }
  if (order.total_cents == Cents()) return state_box(" good", words.nothing_to_pay);
  if (view.processing) {
    return state_box("", words.processing) + link_button("/orders/invoice/{}/return", view, words.check_again);
  }
  return fmt::format("<section{} aria-labelledby=\"pay\">\n<h2 id=\"pay\">{}</h2>\n{}</section>\n",
                     view.manual.empty() ? " class=\"screen\"" : "",
                     fmt::format(fmt::runtime(words.pay), money(order.total_cents, view)), ways_to_pay(view));
}

// The page of an order: its head, `main` (HTML) and the end of the link.
http::Reply order_page(const InvoicePageView& view, std::string_view name, Instant date, const std::string& main) {
  const Order& order = view.order;
  const InvoiceWords& words = invoice_words(view.language);
  const std::string title = fmt::format("{} {}", name, order.order_number);
  const std::string body = fmt::format(
      "<header>{}<p class=\"shop\">{}</p><h1>{}</h1></header>\n<main>\n<dl>\n<div><dt>{}</dt><dd>{}</dd></div>\n"
      "<div><dt>{}</dt><dd>{}</dd></div>\n<div><dt>{}</dt><dd>{}</dd></div>\n</dl>\n{}</main>\n"
      "<footer><p>{} {}</p></footer>\n",
      view.logo ? image(*view.logo, "logo") : "", html_escaped(view.shop), html_escaped(title), words.order_number,
      html_escaped(order.order_number), words.customer, html_escaped(order.customer.name.value), words.date,
      time_element(date, view), main, fmt::format(fmt::runtime(words.valid_until), time_element(view.expires_at, view)),
      words.keep_private);
  return page_reply({.language = view.language,
                     .title = fmt::format("{} – {}", title, view.shop),
                     .body = body,
                     .form_targets = view.form_targets,
                     .shop_style = shop_style_of(view.accent_color)});
}

}  // namespace

http::Reply invoice_page(const InvoicePageView& view) {
  const InvoiceWords& words = invoice_words(view.language);
  return order_page(view, words.invoice, view.order.created_at,
                    items_table(view, words.paying_for) + payment_section(view) + delivered_section(view));
}

http::Reply receipt_page(const InvoicePageView& view) {
  const Order& order = view.order;
  const InvoiceWords& words = invoice_words(view.language);
  const bool refunded = order.status == OrderStatus::REFUNDED;
  return order_page(view, words.receipt, order.paid_at.value_or(order.created_at),
                    items_table(view, words.paid_for) +
                        state_box(refunded ? "" : " good", refunded ? words.refunded : words.receipt_paid) +
                        delivered_section(view));
}

http::Reply buyer_page(int status, std::string_view title, const std::string& body, const std::string& accent_color) {
  return page_reply({.status = status, .title = title, .body = body, .shop_style = shop_style_of(accent_color)});
}

http::Reply invoice_not_found_page(Language language) {
  const InvoiceWords& words = invoice_words(language);
  return page_reply(
      {.status = 404,
       .language = language,
       .title = words.not_found,
       .body = fmt::format("<main>\n<h1>{}</h1>\n<p>{}</p>\n</main>\n", words.not_found, words.not_found_text)});
}

http::Reply payment_unavailable_page(const std::string& token, PaymentMethod method, Language language,
                                     const std::vector<std::string>& form_targets) {
  const InvoiceWords& words = invoice_words(language);
  const std::string link = html_escaped(token);
  return page_reply(
      {.status = 503,
       .language = language,
       .title = words.unavailable,
       .body =
           fmt::format("<main>\n<h1>{}</h1>\n<p>{} <strong>{}</strong> {}</p>\n"
                       "<form method=\"post\" action=\"/orders/invoice/{}/pay/{}\"><button type=\"submit\">{}</button>"
                       "</form>\n<p><a href=\"/orders/invoice/{}\">{}</a></p>\n</main>\n",
                       words.failed, words.failed_text, words.nothing_was_paid, words.try_another, link,
                       name_of(method), words.try_again, link, words.back),
       .form_targets = form_targets});
}

}  // namespace guildhall
