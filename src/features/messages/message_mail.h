#pragma once

#include <optional>
#include <string>

#include "features/messages/message_kind.h"
#include "features/orders/order.h"

// The e-mail around the text of a message. Pure.
namespace guildhall {

struct MessageMail {
  Language language = Language::en;
  std::string subject;
  std::string shop;
  std::string accent_color;        // empty: the usual colour
  std::string logo_url;            // empty: none
  std::string text;                // filled, as plain text
  std::string html;                // the same as HTML
  std::string button;              // its label
  std::string link;                // of the button; empty: none
  const Order* receipt = nullptr;  // its items and sums are shown; may be null
  std::string unsubscribe_url;     // empty: the message is transactional
};

std::string mail_text_of(const MessageMail& mail);
std::string mail_html_of(const MessageMail& mail);

}  // namespace guildhall
