#include "features/payments/invoices/invoice_page.h"

#include "base/crypto.h"
#include "base/encoding.h"
#include "base/text.h"
#include "features/media/branding.h"
#include "features/payments/invoices/invoice_style.h"

namespace guildhall {
namespace {

std::string hash_source(std::string_view style) {
  const Sha256 digest = sha256(style);
  return fmt::format("'sha256-{}'",
                     base64(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size())));
}

std::string content_policy(const std::string& shop_style, const std::vector<std::string>& form_targets) {
  static const std::string style_source = hash_source(invoice_style);
  std::string targets;
  for (const std::string& target : form_targets) targets += " " + target;
  return fmt::format(
      "default-src 'none'; style-src {}{}; img-src 'self' data:; form-action 'self'{}; base-uri 'none'; "
      "frame-ancestors 'none'",
      style_source, shop_style.empty() ? "" : " " + hash_source(shop_style), targets);
}

// The shop's colour, with a colour of text that can be read on it.
std::string shop_style_of(const std::string& accent_color) {
  if (!is_color(accent_color)) return "";
  return fmt::format(":root{{--brand:{};--brand-ink:{}}}", accent_color, text_color_on(accent_color));
}

http::Reply page_reply(int status, std::string_view title, const std::string& body,
                       const std::vector<std::string>& form_targets = {}, const std::string& shop_style = "") {
  http::Reply reply{.status = status, .content_type = "text/html; charset=utf-8"};
  reply.body = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n{}</head>\n<body>\n"
      "<div class=\"sheet\">\n{}</div>\n</body>\n</html>\n",
      html_escaped(title), invoice_style, shop_style.empty() ? "" : fmt::format("<style>{}</style>\n", shop_style),
      body);
  reply.with("Content-Security-Policy", content_policy(shop_style, form_targets));
  reply.with("X-Robots-Tag", "noindex, nofollow");
  return reply;
}

std::string money(Cents amount, const Order& order) {
  return html_escaped(format_money(amount, order.currency));
}

// 15 November 2026, 15:10 UTC, or 16:10 (Europe/Stockholm)
std::string date_text(Instant instant, const TimeZone& zone) {
  static constexpr std::string_view months[] = {"January", "February", "March",     "April",   "May",      "June",
                                                "July",    "August",   "September", "October", "November", "December"};
  const std::string iso = to_string(Instant{zone.local_time(instant).time_since_epoch().count()});
  const auto month = static_cast<std::size_t>((iso[5] - '0') * 10 + (iso[6] - '0') - 1);
  const std::string day = iso[8] == '0' ? iso.substr(9, 1) : iso.substr(8, 2);
  return fmt::format("<time datetime=\"{}\">{} {} {}, {} {}</time>", to_string(instant), day, months[month],
                     iso.substr(0, 4), iso.substr(11, 5), zone.name() == "UTC" ? "UTC" : "(" + zone.name() + ")");
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
  const Order& order = view.order;
  return fmt::format(
      "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\"><span class=\"item\">{}<span>{}<span "
      "class=\"sku\">{}</span></span></span></th>"
      "<td role=\"cell\" class=\"quantity\">{}</td><td role=\"cell\" class=\"unit\">{}</td>"
      "<td role=\"cell\">{}</td></tr>\n",
      item_image(item, view), html_escaped(item.name.value), html_escaped(item.sku.value), item.quantity.value,
      money(item.unit_price_cents, order), money(line_total(item), order));
}

std::string sum_row(std::string_view name, const std::string& amount, std::string_view css_class) {
  return fmt::format(
      "<tr role=\"row\" class=\"{}\"><th role=\"rowheader\" scope=\"row\" colspan=\"3\">{}</th>"
      "<td role=\"cell\">{}</td></tr>\n",
      css_class, html_escaped(name), amount);
}

std::string sums(const Order& order) {
  std::string rows = sum_row("Subtotal", money(order.subtotal_cents, order), "subtotal");
  if (order.discount_amount_cents > Cents()) {
    const std::string name = order.discount_code ? fmt::format("Discount ({})", *order.discount_code) : "Discount";
    rows += sum_row(name, "−" + money(order.discount_amount_cents, order), "discount");
  }
  if (order.tax_amount_cents > Cents()) rows += sum_row("Tax", money(order.tax_amount_cents, order), "tax");
  return rows + sum_row("Total", money(order.total_cents, order), "total");
}

// The roles are written out because the layout for phones (display: grid) would otherwise remove them.
std::string items_table(const InvoicePageView& view, std::string_view caption) {
  std::string rows;
  for (const OrderItem& item : view.order.items) rows += item_row(item, view);
  return fmt::format(
      "<table role=\"table\"{}>\n<caption>{}</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">"
      "<th role=\"columnheader\" scope=\"col\">Item</th><th role=\"columnheader\" scope=\"col\">Quantity</th>"
      "<th role=\"columnheader\" scope=\"col\">Unit price</th><th role=\"columnheader\" scope=\"col\">Subtotal</th>"
      "</tr></thead>\n<tbody role=\"rowgroup\">\n{}</tbody>\n<tfoot role=\"rowgroup\">\n{}</tfoot>\n</table>\n",
      view.images.empty() ? "" : " class=\"pictured\"", caption, rows, sums(view.order));
}

std::string state_box(std::string_view css_class, std::string_view sentence) {
  return fmt::format("<div class=\"state{}\" role=\"status\"><p>{}</p></div>\n", css_class, sentence);
}

std::string buttons(const InvoicePageView& view) {
  if (view.methods.empty()) return "";
  std::string list;
  for (const PaymentMethod method : view.methods) {
    list += fmt::format(
        "<li><form method=\"post\" action=\"/orders/invoice/{}/pay/{}\"><button "
        "type=\"submit\">{}</button></form></li>\n",
        html_escaped(view.token), name_of(method), html_escaped(label_of(method)));
  }
  return fmt::format(
      "<div class=\"screen\">\n<ul class=\"pay\">\n{}</ul>\n"
      "<p class=\"note\">Paid already? <a href=\"/orders/invoice/{}/return\">Check for your payment</a>.</p>\n</div>\n",
      list, html_escaped(view.token));
}

// Text without buttons: these methods are paid outside of this page.
std::string manual_methods(const InvoicePageView& view) {
  if (view.manual.empty()) return "";
  std::string list;
  for (const ManualMethod& each : view.manual) {
    const bool silent = each.instructions.empty();
    list += fmt::format("<li><h3>{}</h3><p>{}</p></li>\n", html_escaped(label_of(each.method)),
                        silent ? "Please ask the shop how to pay this way." : html_escaped(each.instructions));
  }
  return fmt::format(
      "{}<ul class=\"manual\">\n{}</ul>\n<p class=\"note\">Name the order number {} with your payment. The "
      "shop confirms it by hand.</p>\n",
      view.methods.empty() ? "" : "<h3 class=\"or screen\">Or pay the shop directly</h3>\n", list,
      html_escaped(view.order.order_number));
}

std::string ways_to_pay(const InvoicePageView& view) {
  const std::string ways = buttons(view) + manual_methods(view);
  return ways.empty() ? "<p>This invoice cannot be paid online. Please ask the shop how to pay.</p>\n" : ways;
}

// The state of the payment, or the ways to pay.
std::string payment_section(const InvoicePageView& view) {
  const Order& order = view.order;
  if (order.status == OrderStatus::CANCELLED)
    return state_box("", "This order was cancelled. There is nothing to pay.");
  if (order.status == OrderStatus::REFUNDED) return state_box("", "This order was refunded.");
  if (order.status != OrderStatus::PENDING_PAYMENT) {
    const std::string when = order.paid_at ? " Received on " + date_text(*order.paid_at, view.time_zone) + "." : "";
    return state_box(" good", "This invoice is paid. Thank you!" + when);
  }
  if (order.total_cents == Cents()) return state_box(" good", "There is nothing to pay.");
  if (view.processing) {
    return state_box("", "Your payment has been seen and is being confirmed. This can take a while.") +
           fmt::format(
               "<p class=\"screen\"><a class=\"button\" href=\"/orders/invoice/{}/return\">Check again</a></p>\n",
               html_escaped(view.token));
  }
  return fmt::format("<section{} aria-labelledby=\"pay\">\n<h2 id=\"pay\">Pay {}</h2>\n{}</section>\n",
                     view.manual.empty() ? " class=\"screen\"" : "", money(order.total_cents, order),
                     ways_to_pay(view));
}

// The page of an order: its head, `main` (HTML) and the end of the link.
http::Reply order_page(const InvoicePageView& view, std::string_view name, Instant date, const std::string& main) {
  const Order& order = view.order;
  const std::string title = fmt::format("{} {}", name, order.order_number);
  const std::string body = fmt::format(
      "<header>{}<p class=\"shop\">{}</p><h1>{}</h1></header>\n<main>\n<dl>\n<div><dt>Order "
      "number</dt><dd>{}</dd></div>\n"
      "<div><dt>Customer</dt><dd>{}</dd></div>\n<div><dt>Date</dt><dd>{}</dd></div>\n</dl>\n{}</main>\n"
      "<footer><p>This link is valid until {}. Keep it to yourself: whoever has it can see this "
      "page.</p></footer>\n",
      view.logo ? image(*view.logo, "logo") : "", html_escaped(view.shop), html_escaped(title),
      html_escaped(order.order_number), html_escaped(order.customer.name.value), date_text(date, view.time_zone), main,
      date_text(view.expires_at, view.time_zone));
  return page_reply(200, fmt::format("{} – {}", title, view.shop), body, view.form_targets,
                    shop_style_of(view.accent_color));
}

}  // namespace

http::Reply invoice_page(const InvoicePageView& view) {
  return order_page(view, "Invoice", view.order.created_at,
                    items_table(view, "What you are paying for") + payment_section(view));
}

http::Reply receipt_page(const InvoicePageView& view) {
  const Order& order = view.order;
  const std::string state = order.status == OrderStatus::REFUNDED ? state_box("", "This order was refunded.")
                                                                  : state_box(" good", "Paid. Thank you!");
  return order_page(view, "Receipt", order.paid_at.value_or(order.created_at),
                    items_table(view, "What you paid for") + state);
}

http::Reply buyer_page(int status, std::string_view title, const std::string& body, const std::string& accent_color) {
  return page_reply(status, title, body, {}, shop_style_of(accent_color));
}

http::Reply invoice_not_found_page() {
  return page_reply(404, "Invoice not found",
                    "<main>\n<h1>Invoice not found</h1>\n<p>This link is not valid, or not valid any more. "
                    "Please ask the shop for a new one.</p>\n</main>\n");
}

http::Reply payment_unavailable_page(const std::string& token, PaymentMethod method,
                                     const std::vector<std::string>& form_targets) {
  const std::string link = html_escaped(token);
  return page_reply(
      503, "Payment not available",
      fmt::format(
          "<main>\n<h1>That did not work</h1>\n<p>The payment service does not answer at the moment. "
          "<strong>Nothing was paid.</strong> Please try again, or choose another way to pay.</p>\n"
          "<form method=\"post\" action=\"/orders/invoice/{}/pay/{}\"><button type=\"submit\">Try again</button>"
          "</form>\n<p><a href=\"/orders/invoice/{}\">Back to the invoice</a></p>\n</main>\n",
          link, name_of(method), link),
      form_targets);
}

}  // namespace guildhall
