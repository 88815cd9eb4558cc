#pragma once

#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/language.h"
#include "base/time_zone.h"

// The texts of the invoice page and of the receipt in each language. Pure.
namespace guildhall {

struct InvoiceWords {
  std::string_view invoice, receipt, order_number, customer, date;
  std::string_view paying_for, paid_for;  // captions of the items
  std::string_view item, quantity, unit_price, subtotal, discount, tax, total;
  std::string_view cancelled, refunded, paid, received_on, receipt_paid, nothing_to_pay, processing;
  std::string_view pay, check_again, paid_already, check_payment, show_receipt;
  std::string_view digital_items, available_from;
  std::string_view pay_directly, ask_shop, name_order, cannot_pay;
  std::string_view valid_until, keep_private;
  std::string_view not_found, not_found_text;
  std::string_view unavailable, failed, failed_text, nothing_was_paid, try_another, try_again, back;
};
const InvoiceWords& invoice_words(Language language);

// The label of a payment method, which is given in English.
std::string method_label(std::string_view label, Language language);

// 15 November 2026, 15:10 UTC, or 16:10 (Europe/Stockholm), in the words of the language.
std::string date_time_text(Instant instant, const TimeZone& zone, Language language);

}  // namespace guildhall
