#pragma once

#include <string>
#include <vector>

#include "features/orders/order.h"
#include "features/payments/payment.h"
#include "http/reply.h"

// The pay-by-invoice page: self-contained HTML that works without JavaScript, on a phone, on a service and on paper.
// Pure.
namespace guildhall {

// A method between people: the shop's own words say how to pay.
struct ManualMethod {
  PaymentMethod method;
  std::string instructions;  // empty: none were given
};

struct InvoicePageView {
  const Order& order;
  std::string shop;                       // the tenant's name
  std::string token;                      // of the link, for the buttons
  Instant expires_at;                     // of the link
  std::vector<PaymentMethod> methods;     // those that have a button: enabled, and able to open a payment
  std::vector<ManualMethod> manual;       // those without one
  bool processing = false;                // a processor has seen money, and is not sure of it yet
  std::vector<std::string> form_targets;  // origins, besides our own, that paying may lead to
};

http::Reply invoice_page(const InvoicePageView& view);

// The one answer to every link that is not good, whatever is wrong with it.
http::Reply invoice_not_found_page();

// The processor cannot be reached, or does not want to: nothing was paid, and the customer may try again.
http::Reply payment_unavailable_page(const std::string& token, PaymentMethod method,
                                     const std::vector<std::string>& form_targets);

}  // namespace guildhall
