#include "features/payments/invoices/invoice_words.h"

#include <array>
#include <fmt/format.h>

namespace guildhall {
namespace {

constexpr InvoiceWords english{
    .invoice = "Invoice",
    .receipt = "Receipt",
    .order_number = "Order number",
    .customer = "Customer",
    .date = "Date",
    .paying_for = "What you are paying for",
    .paid_for = "What you paid for",
    .item = "Item",
    .quantity = "Quantity",
    .unit_price = "Unit price",
    .subtotal = "Subtotal",
    .discount = "Discount",
    .tax = "Tax",
    .total = "Total",
    .cancelled = "This order was cancelled. There is nothing to pay.",
    .refunded = "This order was refunded.",
    .paid = "This invoice is paid. Thank you!",
    .received_on = "Received on",
    .receipt_paid = "Paid. Thank you!",
    .nothing_to_pay = "There is nothing to pay.",
    .processing = "Your payment has been seen and is being confirmed. This can take a while.",
    .pay = "Pay {}",
    .check_again = "Check again",
    .paid_already = "Paid already?",
    .check_payment = "Check for your payment",
    .show_receipt = "Show the receipt",
    .digital_items = "Your digital items",
    .available_from = "Available from {}",
    .pay_directly = "Or pay the shop directly",
    .ask_shop = "Please ask the shop how to pay this way.",
    .name_order = "Name the order number {} with your payment. The shop confirms it by hand.",
    .cannot_pay = "This invoice cannot be paid online. Please ask the shop how to pay.",
    .valid_until = "This link is valid until {}.",
    .keep_private = "Keep it to yourself: anyone who has it can see this page.",
    .not_found = "Invoice not found",
    .not_found_text = "This link is not valid, or not valid any more. Please ask the shop for a new one.",
    .unavailable = "Payment not available",
    .failed = "That did not work",
    .failed_text = "The payment service does not answer at the moment.",
    .nothing_was_paid = "Nothing was paid.",
    .try_another = "Please try again, or choose another way to pay.",
    .try_again = "Try again",
    .back = "Back to the invoice"};

constexpr InvoiceWords german{
    .invoice = "Rechnung",
    .receipt = "Quittung",
    .order_number = "Bestellnummer",
    .customer = "Kunde",
    .date = "Datum",
    .paying_for = "Das bezahlst du",
    .paid_for = "Das hast du bezahlt",
    .item = "Artikel",
    .quantity = "Menge",
    .unit_price = "Einzelpreis",
    .subtotal = "Zwischensumme",
    .discount = "Rabatt",
    .tax = "Steuer",
    .total = "Summe",
    .cancelled = "Diese Bestellung wurde storniert. Es ist nichts zu bezahlen.",
    .refunded = "Diese Bestellung wurde erstattet.",
    .paid = "Diese Rechnung ist bezahlt. Danke!",
    .received_on = "Eingegangen am",
    .receipt_paid = "Bezahlt. Danke!",
    .nothing_to_pay = "Es ist nichts zu bezahlen.",
    .processing = "Deine Zahlung wurde gesehen und wird gerade bestätigt. Das kann etwas dauern.",
    .pay = "{} bezahlen",
    .check_again = "Erneut prüfen",
    .paid_already = "Schon bezahlt?",
    .check_payment = "Nach deiner Zahlung sehen",
    .show_receipt = "Quittung ansehen",
    .digital_items = "Deine digitalen Artikel",
    .available_from = "Verfügbar ab {}",
    .pay_directly = "Oder bezahle direkt beim Shop",
    .ask_shop = "Bitte frag den Shop, wie du so bezahlen kannst.",
    .name_order = "Gib bei der Zahlung die Bestellnummer {} an. Der Shop bestätigt sie von Hand.",
    .cannot_pay = "Diese Rechnung kann nicht online bezahlt werden. Bitte frag den Shop, wie du bezahlen kannst.",
    .valid_until = "Dieser Link gilt bis {}.",
    .keep_private = "Behalte ihn für dich: Wer ihn hat, kann diese Seite sehen.",
    .not_found = "Rechnung nicht gefunden",
    .not_found_text = "Dieser Link ist nicht oder nicht mehr gültig. Bitte frag den Shop nach einem neuen.",
    .unavailable = "Zahlung nicht möglich",
    .failed = "Das hat nicht geklappt",
    .failed_text = "Der Zahlungsdienst antwortet gerade nicht.",
    .nothing_was_paid = "Es wurde nichts bezahlt.",
    .try_another = "Bitte versuche es noch einmal oder bezahle auf einem anderen Weg.",
    .try_again = "Noch einmal versuchen",
    .back = "Zurück zur Rechnung"};

struct Label {
  std::string_view en, de;
};
constexpr Label german_labels[] = {{"Pay with card or app", "Mit Karte oder App bezahlen"},
                                   {"Pay with cryptocurrency", "Mit Kryptowährung bezahlen"},
                                   {"Pay with your online wallet", "Mit deiner Online-Geldbörse bezahlen"},
                                   {"Bitcoin transfer", "Bitcoin-Überweisung"},
                                   {"Direct transfer", "Direkte Überweisung"},
                                   {"Cash", "Bar"}};

constexpr std::array<std::string_view, 12> english_months{"January",   "February", "March",    "April",
                                                          "May",       "June",     "July",     "August",
                                                          "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 12> german_months{"Januar",    "Februar", "März",     "April",
                                                         "Mai",       "Juni",    "Juli",     "August",
                                                         "September", "Oktober", "November", "Dezember"};

}  // namespace

const InvoiceWords& invoice_words(Language language) {
  return language == Language::de ? german : english;
}

std::string method_label(std::string_view label, Language language) {
  constexpr std::string_view pay_with = "Pay with ";
  if (language == Language::en) return std::string(label);
  for (const Label& each : german_labels) {
    if (each.en == label) return std::string(each.de);
  }
  if (!label.starts_with(pay_with)) return std::string(label);
  return fmt::format("Mit {} bezahlen", label.substr(pay_with.size()));
}

std::string date_time_text(Instant instant, const TimeZone& zone, Language language) {
  const std::string iso = to_string(Instant{zone.local_time(instant).time_since_epoch().count()});
  const auto month = static_cast<std::size_t>((iso[5] - '0') * 10 + (iso[6] - '0') - 1);
  const std::string day = iso[8] == '0' ? iso.substr(9, 1) : iso.substr(8, 2);
  const bool is_german = language == Language::de;
  return fmt::format("{}{} {} {}, {} {}", day, is_german ? "." : "",
                     is_german ? german_months[month] : english_months[month], iso.substr(0, 4), iso.substr(11, 5),
                     zone.name() == "UTC" ? "UTC" : "(" + zone.name() + ")");
}

}  // namespace guildhall
