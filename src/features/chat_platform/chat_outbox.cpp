#include "features/chat_platform/chat_outbox.h"

namespace guildhall {
namespace {

constexpr std::chrono::minutes token_lives{15};

outbox::Verdict verdict_of(const ChatReply& reply) {
  if (reply.ok()) return outbox::done();
  if (reply.wait) return outbox::retry("The chat platform asks to wait.", reply.wait);
  if (reply.status == 401) return outbox::retry("The chat platform refuses the bot's token: see CHAT_BOT_TOKEN.");
  if (reply.status == 0 || reply.status >= 500 || reply.status == 408) return outbox::retry(reply.said());
  return outbox::dead(reply.said());
}

}  // namespace

outbox::Verdict send_chat_message(ChatClient& client, const outbox::Delivery& delivery) {
  const auto message = from_json<ChatMessage>(delivery.payload);
  return verdict_of(
      client.send(create_message(message.channel_id, message_body(message.content, nonce_of(delivery.id)))));
}

outbox::Verdict edit_chat_answer(ChatClient& client, const outbox::Delivery& delivery) {
  const auto edit = from_json<ChatEdit>(delivery.payload);
  if (delivery.created_at + token_lives < now()) return outbox::dead("The interaction's token has expired.");
  const ChatReply reply = client.send(edit_answer({edit.application_id, edit.token}, edit.message.text));
  // The answer that we edit may not have arrived yet: it travels on another connection.
  if (reply.status == 404) return outbox::retry(reply.said());
  return verdict_of(reply);
}

}  // namespace guildhall
