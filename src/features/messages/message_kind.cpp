#include "features/messages/message_kind.h"

#include <array>

namespace guildhall {
namespace {

using enum MessageKind;
using Names = std::span<const std::string_view>;

constexpr MessageKind kinds[] = {ORDER_RECEIVED,    ORDER_PAID,         ROLE_GRANTED,     ROLE_DELAYED,
                                 ITEM_DELIVERED,    ORDER_SHIPPED,      ORDER_DELIVERED,  ORDER_REFUNDED,
                                 MEMBERSHIP_ENDING, MEMBERSHIP_RENEWED, MEMBERSHIP_ENDED, GIFT_RECEIVED,
                                 INVOICE_LINK};

constexpr std::string_view of_order[] = {"shop", "customer", "order", "total", "items", "link"};
constexpr std::string_view of_shipment[] = {"shop",    "customer",       "order",        "total", "items",
                                            "carrier", "trackingNumber", "trackingLink", "link"};
constexpr std::string_view of_role[] = {"shop", "customer", "product"};
constexpr std::string_view of_delay[] = {"shop", "customer", "product", "reason"};
constexpr std::string_view of_item[] = {"shop", "customer", "product", "order", "delivery", "link"};
constexpr std::string_view of_membership[] = {"shop", "customer", "product", "endsAt", "link"};
constexpr std::string_view of_gift[] = {"shop", "customer", "product", "endsAt", "giver"};

struct Texts {
  MessageKind kind;
  BuiltInText en, de;
};

// In the order of `kinds`.
constexpr std::array<Texts, std::size(kinds)> built_in{{
    {ORDER_RECEIVED,
     {"Your order {order}",
      "Thank you for your order **{order}** at {shop}.\n{items}\nTotal: **{total}**\n"
      "You can pay here: {link}",
      "Hello {customer},\n\nthank you for your order {order} at {shop}.\n\n{items}\nTotal: {total}\n\n"
      "You can pay here: {link}",
      "Pay"},
     {"Deine Bestellung {order}",
      "Danke für deine Bestellung **{order}** bei {shop}.\n{items}\nGesamt: **{total}**\n"
      "Hier kannst du bezahlen: {link}",
      "Hallo {customer},\n\ndanke für deine Bestellung {order} bei {shop}.\n\n{items}\nGesamt: {total}\n\n"
      "Hier kannst du bezahlen: {link}",
      "Bezahlen"}},
    {ORDER_PAID,
     {"Receipt for your order {order}",
      "We have received your payment of **{total}** for order **{order}**. Thank you!\n{items}",
      "Hello {customer},\n\nwe have received your payment of {total} for order {order}. Thank you!\n\n"
      "Your receipt, ready to print: {link}",
      "View receipt"},
     {"Quittung für deine Bestellung {order}",
      "Deine Zahlung von **{total}** für die Bestellung **{order}** ist angekommen. Danke!\n{items}",
      "Hallo {customer},\n\ndeine Zahlung von {total} für die Bestellung {order} ist angekommen. Danke!\n\n"
      "Deine Quittung, auch zum Ausdrucken: {link}",
      "Quittung ansehen"}},
    {ROLE_GRANTED,
     {"Your role for {product}", "You now have your role for **{product}**. Enjoy!",
      "Hello {customer},\n\nyou now have the role for {product} on the chat server of {shop}. Enjoy!", ""},
     {"Deine Rolle für {product}", "Deine Rolle für **{product}** ist da. Viel Freude damit!",
      "Hallo {customer},\n\ndu hast jetzt die Rolle für {product} auf dem Chat-Server von {shop}. Viel Freude damit!",
      ""}},
    {ROLE_DELAYED,
     {"Your role for {product} is delayed", "We could not give you the role for **{product}** yet. {reason}",
      "Hello {customer},\n\nwe could not give you the role for {product} yet. {reason}", ""},
     {"Deine Rolle für {product} verzögert sich",
      "Wir konnten dir die Rolle für **{product}** noch nicht geben. {reason}",
      "Hallo {customer},\n\nwir konnten dir die Rolle für {product} noch nicht geben. {reason}", ""}},
    {ITEM_DELIVERED,
     {"Your {product}", "Here is your **{product}**:\n{delivery}\n-# See it again with `/purchases`.",
      "Hello {customer},\n\nhere is your {product} from {shop}:\n\n{delivery}\n\n"
      "You can see it again at any time: {link}",
      "Open"},
     {"Dein Artikel: {product}",
      "Hier ist dein Artikel **{product}**:\n{delivery}\n-# Mit `/purchases` siehst du ihn "
      "wieder.",
      "Hallo {customer},\n\nhier ist dein Artikel {product} von {shop}:\n\n{delivery}\n\n"
      "Du kannst ihn jederzeit wieder ansehen: {link}",
      "Öffnen"}},
    {ORDER_SHIPPED,
     {"Your order {order} is on its way",
      "Your order **{order}** is on its way.\nCarrier: {carrier}\nTracking number: {trackingNumber}",
      "Hello {customer},\n\nyour order {order} is on its way.\n\n{items}\n\nCarrier: {carrier}\n"
      "Tracking number: {trackingNumber}\n{trackingLink}",
      "Track parcel"},
     {"Deine Bestellung {order} ist unterwegs",
      "Deine Bestellung **{order}** ist unterwegs.\nVersand mit: {carrier}\nSendungsnummer: {trackingNumber}",
      "Hallo {customer},\n\ndeine Bestellung {order} ist unterwegs.\n\n{items}\n\nVersand mit: {carrier}\n"
      "Sendungsnummer: {trackingNumber}\n{trackingLink}",
      "Sendung verfolgen"}},
    {ORDER_DELIVERED,
     {"Your order {order} has been delivered", "Your order **{order}** has been delivered. Enjoy!",
      "Hello {customer},\n\nyour order {order} has been delivered. If something is missing, please contact {shop}.",
      ""},
     {"Deine Bestellung {order} ist angekommen", "Deine Bestellung **{order}** ist angekommen. Viel Freude damit!",
      "Hallo {customer},\n\ndeine Bestellung {order} ist angekommen. Falls etwas fehlt, melde dich bitte bei {shop}.",
      ""}},
    {ORDER_REFUNDED,
     {"Your order {order} has been refunded",
      "Your order **{order}** has been refunded. **{total}** will be returned the way you paid.",
      "Hello {customer},\n\nyour order {order} has been refunded. {total} will be returned the way you paid. "
      "This can take a few days.",
      ""},
     {"Deine Bestellung {order} wurde erstattet",
      "Deine Bestellung **{order}** wurde erstattet. Du bekommst **{total}** auf demselben Weg zurück.",
      "Hallo {customer},\n\ndeine Bestellung {order} wurde erstattet. Du bekommst {total} auf demselben Weg zurück. "
      "Das kann einige Tage dauern.",
      ""}},
    {MEMBERSHIP_ENDING,
     {"Your membership {product} ends on {endsAt}",
      "Your membership **{product}** at {shop} ends on {endsAt}. You can renew it with `/membership` on the server.",
      "Hello {customer},\n\nyour membership {product} at {shop} ends on {endsAt}. You can renew it on the chat server "
      "with the command /membership.\n\nYou can pay for the next period here: {link}",
      "Pay"},
     {"Deine Mitgliedschaft {product} endet am {endsAt}",
      "Deine Mitgliedschaft **{product}** bei {shop} endet am {endsAt}. Verlängern kannst du sie mit `/membership` auf "
      "dem Server.",
      "Hallo {customer},\n\ndeine Mitgliedschaft {product} bei {shop} endet am {endsAt}. Verlängern kannst du sie auf "
      "dem Chat-Server mit dem Befehl /membership.\n\nDen nächsten Zeitraum kannst du hier bezahlen: {link}",
      "Bezahlen"}},
    {MEMBERSHIP_RENEWED,
     {"Your membership {product} has been renewed",
      "Your membership **{product}** has been renewed. It is paid until {endsAt}.",
      "Hello {customer},\n\nyour membership {product} at {shop} has been renewed. It is paid until {endsAt}.", ""},
     {"Deine Mitgliedschaft {product} wurde verlängert",
      "Deine Mitgliedschaft **{product}** wurde verlängert. Sie ist bis zum {endsAt} bezahlt.",
      "Hallo {customer},\n\ndeine Mitgliedschaft {product} bei {shop} wurde verlängert. Sie ist bis zum {endsAt} "
      "bezahlt.",
      ""}},
    {MEMBERSHIP_ENDED,
     {"Your membership {product} has ended",
      "Your membership **{product}** at {shop} has ended. You can start again with `/shop` on the server.",
      "Hello {customer},\n\nyour membership {product} at {shop} has ended. You can start again on the chat server "
      "with the command /shop.",
      ""},
     {"Deine Mitgliedschaft {product} ist abgelaufen",
      "Deine Mitgliedschaft **{product}** bei {shop} ist abgelaufen. Mit `/shop` auf dem Server kannst du sie neu "
      "abschließen.",
      "Hallo {customer},\n\ndeine Mitgliedschaft {product} bei {shop} ist abgelaufen. Auf dem Chat-Server kannst du "
      "sie "
      "mit dem Befehl /shop neu abschließen.",
      ""}},
    {GIFT_RECEIVED,
     {"{giver} has given you the membership {product}",
      "{giver} has given you the membership **{product}** at {shop}. It is paid until {endsAt}; see `/membership`.",
      "Hello {customer},\n\n{giver} has given you the membership {product} at {shop}. It is paid until {endsAt}.", ""},
     {"{giver} schenkt dir die Mitgliedschaft {product}",
      "{giver} schenkt dir die Mitgliedschaft **{product}** bei {shop}. Sie ist bis zum {endsAt} bezahlt; siehe "
      "`/membership`.",
      "Hallo {customer},\n\n{giver} schenkt dir die Mitgliedschaft {product} bei {shop}. Sie ist bis zum {endsAt} "
      "bezahlt.",
      ""}},
    {INVOICE_LINK,
     {"Invoice for your order {order}",
      "Here is the invoice for your order **{order}** at {shop}.\n{items}\nTotal: **{total}**\nYou can pay here: "
      "{link}",
      "Hello {customer},\n\nhere is the invoice for your order {order} at {shop}.\n\n{items}\nTotal: {total}\n\n"
      "You can pay here: {link}",
      "Pay"},
     {"Rechnung für deine Bestellung {order}",
      "Hier ist die Rechnung für deine Bestellung **{order}** bei {shop}.\n{items}\nSumme: **{total}**\n"
      "Hier kannst du bezahlen: {link}",
      "Hallo {customer},\n\nhier ist die Rechnung für deine Bestellung {order} bei {shop}.\n\n{items}\nSumme: "
      "{total}\n\n"
      "Hier kannst du bezahlen: {link}",
      "Bezahlen"}},
}};

constexpr DeliveryWords delivery_en{"available from", "There is more on the page of your order."};
constexpr DeliveryWords delivery_de{"verfügbar ab", "Auf der Seite deiner Bestellung steht noch mehr."};

constexpr EmailWords words_en{
    "Item", "Quantity", "Amount",  "Subtotal",    "Discount",
    "Tax",  "Total",    "Sent by", "Unsubscribe", "You are receiving this because you have a membership."};
constexpr EmailWords words_de{"Artikel",     "Menge",
                              "Betrag",      "Zwischensumme",
                              "Rabatt",      "Steuer",
                              "Gesamt",      "Gesendet von",
                              "Abbestellen", "Du bekommst diese E-Mail, weil du eine Mitgliedschaft hast."};

}  // namespace

std::span<const MessageKind> message_kinds() {
  return kinds;
}

bool is_transactional(MessageKind kind) {
  return kind != MEMBERSHIP_ENDING && kind != MEMBERSHIP_ENDED;
}

std::span<const std::string_view> placeholders_of(MessageKind kind) {
  switch (kind) {
    case ORDER_RECEIVED:
    case ORDER_PAID:
    case ORDER_REFUNDED:
    case INVOICE_LINK:
      return of_order;
    case ORDER_SHIPPED:
    case ORDER_DELIVERED:
      return of_shipment;
    case ROLE_GRANTED:
      return of_role;
    case ROLE_DELAYED:
      return of_delay;
    case ITEM_DELIVERED:
      return of_item;
    case MEMBERSHIP_ENDING:
    case MEMBERSHIP_RENEWED:
    case MEMBERSHIP_ENDED:
      return of_membership;
    case GIFT_RECEIVED:
      return of_gift;
  }
  return {};
}

const BuiltInText& built_in_text(MessageKind kind, Language language) {
  const Texts& texts = built_in[static_cast<std::size_t>(kind)];
  return language == Language::de ? texts.de : texts.en;
}

std::string_view role_delay_text(RoleDelay delay, Language language) {
  const bool german = language == Language::de;
  switch (delay) {
    case RoleDelay::UNKNOWN_MEMBER:
      return german ? "Der Shop weiß noch nicht, wer du auf dem Chat-Server bist. Bitte melde dich dort."
                    : "The shop does not know yet who you are on the chat server. Please contact it there.";
    case RoleDelay::NOT_A_MEMBER:
      return german ? "Du bist noch kein Mitglied des Chat-Servers. Tritt ihm bei und melde dich dann beim Shop."
                    : "You are not a member of the chat server yet. Please join it, then contact the shop.";
    case RoleDelay::OTHER:
      break;
  }
  return german ? "Der Shop muss dafür erst eine Einstellung auf dem Chat-Server ändern."
                : "The shop has to change a setting on the chat server first.";
}

const DeliveryWords& delivery_words(Language language) {
  return language == Language::de ? delivery_de : delivery_en;
}

const EmailWords& email_words(Language language) {
  return language == Language::de ? words_de : words_en;
}

}  // namespace guildhall
