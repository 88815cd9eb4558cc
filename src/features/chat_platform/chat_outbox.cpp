#include "features/chat_platform/chat_outbox.h"

#include "base/json_lookup.h"
#include "features/tenancy/guild_binding.h"

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

// The bot may be in other shops' servers, too. Where the platform does not say whose a channel is, it is not known.
bool is_in_anothers_server(ChatClient& client, Storage& storage, const TenantId& tenant, const std::string& channel) {
  const ChatReply reply = client.send(read_channel(channel));
  const auto described = reply.ok() ? JsonLookup::parse(reply.body) : std::nullopt;
  const std::string guild = described ? described->text("/guild_id") : "";
  if (guild.empty()) return false;
  bool own = false;
  storage.write_now([&](Tx& tx) {
    const auto guilds = tx.all(guilds_of_tenant(tenant));
    own = std::any_of(guilds.begin(), guilds.end(), [&](const GuildBinding& bound) { return bound.guild_id == guild; });
  });
  return !own;
}

}  // namespace

outbox::Verdict send_chat_message(ChatClient& client, Storage& storage, const outbox::Delivery& delivery) {
  const auto message = from_json<ChatMessage>(delivery.payload);
  if (is_in_anothers_server(client, storage, delivery.tenant, message.channel_id)) {
    return outbox::dead("The channel is in a chat server that is not this shop's.");
  }
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
