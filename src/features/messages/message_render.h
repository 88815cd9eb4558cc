#pragma once

#include "features/messages/message_mail.h"
#include "features/messages/message_settings.h"
#include "features/messages/message_template.h"
#include "storage/database.h"

// Makes the message that a buyer sees from its text and its values.
namespace guildhall {

// How the shop presents itself.
struct ShopLook {
  std::string name;
  std::string accent_color;  // may be empty
  std::string logo_url;      // may be empty
};
ShopLook read_shop_look(Tx& tx, const TenantId& tenant, const std::string& public_base_url);

struct RenderedMessage {
  std::string direct;
  std::string subject;
  std::string email_text;
  std::string email_html;
  std::string button;  // the label of the button of a direct message
  std::string link;    // empty: no button
};

struct MessageParts {
  MessageKind kind = MessageKind::ORDER_RECEIVED;
  const ChosenText& text;
  const MessageValues& values;
  const ShopLook& shop;
  const Order* receipt = nullptr;
  std::string unsubscribe_url{};  // empty: the message is transactional
};
RenderedMessage render(const MessageParts& parts);

// "2 × Shirt, 1 × Mug"
std::string items_text(const Order& order);

// Values and an order with which a shop sees what its texts look like.
MessageValues sample_values(MessageKind kind, const std::string& shop, const std::string& public_base_url,
                            Language language, Instant now);
Order sample_order();

}  // namespace guildhall
