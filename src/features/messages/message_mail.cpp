#include "features/messages/message_mail.h"

#include "base/money_text.h"
#include "base/text.h"
#include "features/media/branding.h"

namespace guildhall {
namespace {

constexpr std::string_view usual_color = "#3d3fb8";
constexpr std::size_t receipt_items_max = 100;

struct ReceiptLine {
  std::string name, quantity, amount;
};

// The items and then the sums, whose quantity is empty.
std::vector<ReceiptLine> receipt_lines(const Order& order, Language language) {
  const EmailWords& words = email_words(language);
  const auto money = [&](Cents amount) { return money_text(amount, order.currency, code_of(language)); };
  std::vector<ReceiptLine> lines;
  for (const OrderItem& item : order.items) {
    if (lines.size() == receipt_items_max) {
      lines.push_back({"…", "", ""});
      break;
    }
    lines.push_back({item.name.value, std::to_string(item.quantity.value), money(line_total(item))});
  }
  lines.push_back({std::string(words.subtotal), "", money(order.subtotal_cents)});
  if (order.discount_amount_cents > Cents()) {
    lines.push_back({std::string(words.discount), "", "−" + money(order.discount_amount_cents)});
  }
  if (order.tax_amount_cents > Cents()) lines.push_back({std::string(words.tax), "", money(order.tax_amount_cents)});
  lines.push_back({std::string(words.total), "", money(order.total_cents)});
  return lines;
}

std::string receipt_html(const Order& order, Language language) {
  const EmailWords& words = email_words(language);
  constexpr std::string_view cell = "padding:8px 0;border-bottom:1px solid #dfe2ec";
  std::string rows = fmt::format(
      "<tr><th align=\"left\" style=\"{0}\">{1}</th>\n<th align=\"right\" style=\"{0}\">{2}</th>\n"
      "<th align=\"right\" style=\"{0}\">{3}</th></tr>\n",
      cell, words.item, words.quantity, words.amount);
  for (const ReceiptLine& line : receipt_lines(order, language)) {
    const std::string_view weight = line.name == words.total && line.quantity.empty() ? ";font-weight:700" : "";
    rows += fmt::format(
        "<tr><td style=\"{0}{1}\">{2}</td>\n<td align=\"right\" style=\"{0}{1}\">{3}</td>\n"
        "<td align=\"right\" style=\"{0}{1}\">{4}</td></tr>\n",
        cell, weight, html_escaped(line.name), line.quantity, html_escaped(line.amount));
  }
  return fmt::format(
      "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin:8px 0 16px\">\n"
      "{}</table>\n",
      rows);
}

// Empty lines separate paragraphs.
std::string paragraphs(std::string_view html) {
  std::string out;
  while (!html.empty()) {
    const std::size_t end = std::min(html.find("\n\n"), html.size());
    std::string paragraph(html.substr(0, end));
    html.remove_prefix(std::min(end + 2, html.size()));
    for (std::size_t at = 0; (at = paragraph.find('\n', at)) != std::string::npos; at += 5) {
      paragraph.replace(at, 1, "<br>\n");
    }
    out += fmt::format("<p style=\"margin:0 0 16px\">{}</p>\n", paragraph);
  }
  return out;
}

std::string color_of(const MessageMail& mail) {
  return is_color(mail.accent_color) ? mail.accent_color : std::string(usual_color);
}

std::string header(const MessageMail& mail) {
  const std::string logo = mail.logo_url.empty()
                               ? ""
                               : fmt::format(
                                     "<img src=\"{}\" width=\"48\" height=\"48\" alt=\"\" style=\"border-radius:8px;"
                                     "vertical-align:middle;margin-right:12px;background:#fff\">\n",
                                     html_escaped(mail.logo_url));
  const std::string color = color_of(mail);
  return fmt::format(
      "<tr><td style=\"padding:20px 28px;background:{};color:{};font-size:18px;font-weight:600\">\n{}{}</td></tr>\n",
      color, text_color_on(color), logo, html_escaped(mail.shop));
}

std::string button(const MessageMail& mail) {
  if (mail.link.empty() || mail.button.empty()) return "";
  const std::string color = color_of(mail);
  return fmt::format(
      "<p style=\"margin:24px 0\"><a href=\"{}\"\nstyle=\"display:inline-block;padding:12px 20px;border-radius:8px;"
      "background:{};color:{};text-decoration:none;font-weight:600\">{}</a></p>\n",
      html_escaped(mail.link), color, text_color_on(color), html_escaped(mail.button));
}

std::string footer(const MessageMail& mail, const EmailWords& words) {
  std::string text = fmt::format("{} {}.", words.sent_by, html_escaped(mail.shop));
  if (!mail.unsubscribe_url.empty()) {
    text += fmt::format("<br>\n{} <a href=\"{}\" style=\"color:#565d75\">{}</a>", words.why_received,
                        html_escaped(mail.unsubscribe_url), words.unsubscribe);
  }
  return fmt::format("<tr><td style=\"padding:16px 28px 24px;color:#565d75;font-size:13px\">{}</td></tr>\n", text);
}

}  // namespace

std::string mail_text_of(const MessageMail& mail) {
  const EmailWords& words = email_words(mail.language);
  std::string text = mail.text + "\n";
  if (mail.receipt != nullptr) {
    text += "\n";
    for (const ReceiptLine& line : receipt_lines(*mail.receipt, mail.language)) {
      text += fmt::format("{}{}: {}\n", line.quantity.empty() ? "" : line.quantity + " x ", line.name, line.amount);
    }
  }
  text += fmt::format("\n{} {}.\n", words.sent_by, mail.shop);
  if (!mail.unsubscribe_url.empty()) {
    text += fmt::format("{}\n{}: {}\n", words.why_received, words.unsubscribe, mail.unsubscribe_url);
  }
  return text;
}

std::string mail_html_of(const MessageMail& mail) {
  const EmailWords& words = email_words(mail.language);
  const std::string receipt = mail.receipt == nullptr ? "" : receipt_html(*mail.receipt, mail.language);
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title></head>\n"
      "<body style=\"margin:0;background:#f3f4f8\">\n"
      "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"><tr><td align=\"center\"\n"
      "style=\"padding:24px 12px\">\n"
      "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"\n"
      "style=\"max-width:600px;background:#fff;border-radius:12px;overflow:hidden;color:#1c2033;\n"
      "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif\">\n{}"
      "<tr><td style=\"padding:28px 28px 4px\">\n{}{}{}</td></tr>\n{}</table>\n</td></tr></table>\n</body>\n</html>\n",
      code_of(mail.language), html_escaped(mail.subject), header(mail), paragraphs(mail.html), receipt, button(mail),
      footer(mail, words));
}

}  // namespace guildhall
