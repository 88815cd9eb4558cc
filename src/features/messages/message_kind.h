#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/declared.h"
#include "base/language.h"

// The kinds of messages to buyers, their placeholders and their built-in texts. Pure.
namespace guildhall {

enum class MessageKind {
  ORDER_RECEIVED,
  ORDER_PAID,  // the receipt
  ROLE_GRANTED,
  ROLE_DELAYED,    // a role could not be granted yet
  ITEM_DELIVERED,  // the keys, links and texts of a digital item
  ORDER_SHIPPED,
  ORDER_DELIVERED,
  ORDER_REFUNDED,
  MEMBERSHIP_ENDING,
  MEMBERSHIP_RENEWED,
  MEMBERSHIP_ENDED,
  GIFT_RECEIVED,
  INVOICE_LINK,  // somebody of the shop sends it
};
BOOST_DESCRIBE_ENUM(MessageKind, ORDER_RECEIVED, ORDER_PAID, ROLE_GRANTED, ROLE_DELAYED, ITEM_DELIVERED, ORDER_SHIPPED,
                    ORDER_DELIVERED, ORDER_REFUNDED, MEMBERSHIP_ENDING, MEMBERSHIP_RENEWED, MEMBERSHIP_ENDED,
                    GIFT_RECEIVED, INVOICE_LINK)

enum class MessageMedium { DIRECT, EMAIL };
BOOST_DESCRIBE_ENUM(MessageMedium, DIRECT, EMAIL)

// All kinds, in the order in which a buyer receives them.
std::span<const MessageKind> message_kinds();

// Whether the message is about something that the buyer has just done. The others have an unsubscribe link.
bool is_transactional(MessageKind kind);

// The names that may be in braces in the texts of the kind.
std::span<const std::string_view> placeholders_of(MessageKind kind);

struct BuiltInText {
  std::string_view subject;  // of the e-mail
  std::string_view direct;   // the direct message, in the chat platform's mark-up
  std::string_view email;
  std::string_view button;  // its label, if the message has a link
};
const BuiltInText& built_in_text(MessageKind kind, Language language);

// Why a role could not be granted, as the buyer is informed.
enum class RoleDelay { UNKNOWN_MEMBER, NOT_A_MEMBER, OTHER };
BOOST_DESCRIBE_ENUM(RoleDelay, UNKNOWN_MEMBER, NOT_A_MEMBER, OTHER)
std::string_view role_delay_text(RoleDelay delay, Language language);

// The words of the parts of a digital item.
struct DeliveryWords {
  std::string_view available_from;  // before a date
  std::string_view more;            // after the last part that fits into a direct message
};
const DeliveryWords& delivery_words(Language language);

// The other sentences of an e-mail.
struct EmailWords {
  std::string_view item, quantity, amount, subtotal, discount, tax, total;
  std::string_view sent_by;       // before the shop's name
  std::string_view unsubscribe;   // the label of the link
  std::string_view why_received;  // of messages that have this link
};
const EmailWords& email_words(Language language);

}  // namespace guildhall
