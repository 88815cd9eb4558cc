#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/language.h"
#include "base/time_zone.h"
#include "features/delivery/delivered.h"
#include "features/media/picture.h"
#include "features/orders/order.h"
#include "features/payments/payment.h"
#include "http/reply.h"

// The pay-by-invoice page: self-contained HTML that works without JavaScript, on phones, on desktops and on paper, in
// the language that the browser prefers. Pure.
namespace guildhall {

// A method without a processor: the shop's instructions say how to pay.
struct ManualMethod {
  PaymentMethod method;
  std::string instructions;  // empty: none were given
};

struct InvoicePageView {
  const Order& order;
  std::string shop;    // its name
  TimeZone time_zone;  // of the shop
  Language language = Language::en;
  std::string accent_color;  // empty: the usual colour
  std::optional<Picture> logo;
  std::map<std::string, Picture> images;   // of products, by their ids
  std::string token;                       // of the link, for the buttons
  Instant expires_at;                      // of the link
  std::vector<PaymentMethod> methods;      // with a button: enabled, and able to open a payment
  std::vector<ManualMethod> manual;        // without a button
  bool processing = false;                 // a processor has seen money and has not confirmed it yet
  std::vector<DeliveredItem> delivered{};  // the digital items of a paid order
  std::vector<std::string> form_targets;   // origins besides our own that a payment may redirect to
};

http::Reply invoice_page(const InvoicePageView& view);

// The receipt of a paid order, for printing.
http::Reply receipt_page(const InvoicePageView& view);

// A page in the same style. `body` is HTML; `accent_color` may be empty.
http::Reply buyer_page(int status, std::string_view title, const std::string& body, const std::string& accent_color);

// The same page for every invalid link in a language, so that it does not reveal what is wrong.
http::Reply invoice_not_found_page(Language language);

// The processor cannot be reached or refuses: nothing was paid, and the customer may try again.
http::Reply payment_unavailable_page(const std::string& token, PaymentMethod method, Language language,
                                     const std::vector<std::string>& form_targets);

}  // namespace guildhall
