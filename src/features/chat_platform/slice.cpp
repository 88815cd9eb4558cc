#include "features/slice.h"

#include "features/chat_platform/chat_outbox.h"

namespace guildhall {
namespace {

void handle_chat_platform_topics(outbox::Dispatcher& dispatcher, ChatClient& chat, Storage& storage) {
  dispatcher.handle(std::string(chat_message_topic), [&chat, &storage](const outbox::Delivery& delivery) {
    return send_chat_message(chat, storage, delivery);
  });
  dispatcher.handle(
      std::string(chat_edit_topic),
      [&chat](const outbox::Delivery& delivery) { return edit_chat_answer(chat, delivery); }, chat_edit_policy);
}

}  // namespace

Slice chat_platform_slice() {
  return Slice("chat_platform").table({.name = "chat_limits", .other = "bucket"}).topics(handle_chat_platform_topics);
}

}  // namespace guildhall
