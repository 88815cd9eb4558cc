#include "features/chat_platform/chat_outbox.h"

#include "base/json_lookup.h"

namespace guildhall {
namespace {

outbox::Verdict verdict_of(const ChatReply& reply) {
  if (reply.ok()) return outbox::done();
  if (reply.wait) return outbox::retry("The chat platform asks to wait.", reply.wait);
  if (reply.status == 401) return outbox::retry("The chat platform refuses the bot's token: see CHAT_BOT_TOKEN.");
  if (reply.status == 0 || reply.status >= 500 || reply.status == 408) return outbox::retry(reply.description());
  return outbox::dead(reply.description());
}

// The member accepts no direct messages, from anybody or from the bot.
bool refuses(const ChatReply& reply) {
  return reply.status == 403;
}

std::vector<GuildBinding> guilds_of(Storage& storage, const TenantId& tenant) {
  std::vector<GuildBinding> guilds;
  storage.read_now([&](Tx& tx) { guilds = tx.all(guilds_of_tenant(tenant)); });
  return guilds;
}

// Nothing is sent unless the platform confirms that the channel is in the shop's server. If it does not answer that,
// the message is retried for as long as the topic's policy allows.
outbox::Verdict not_sent(const ChannelOwner& owner) {
  if (owner.kind == ChannelOwner::Kind::another) {
    return outbox::dead("The channel is in a chat server that is not this shop's.");
  }
  const std::string reason = "The chat platform does not say whose the channel is: " + owner.reply.description();
  return outbox::retry(reason, owner.reply.wait);
}

}  // namespace

ChannelOwner owner_of_channel(ChatClient& client, const std::string& channel,
                              const std::vector<GuildBinding>& own_guilds) {
  ChannelOwner owner{ChannelOwner::Kind::unknown, client.send(read_channel(channel))};
  const auto described = owner.reply.ok() ? JsonLookup::parse(owner.reply.body) : std::nullopt;
  const std::string guild = described ? described->text("/guild_id") : "";
  if (guild.empty()) return owner;
  const bool own = std::ranges::any_of(own_guilds, [&](const GuildBinding& bound) { return bound.guild_id == guild; });
  owner.kind = own ? ChannelOwner::Kind::own : ChannelOwner::Kind::another;
  return owner;
}

outbox::Verdict send_chat_message(ChatClient& client, Storage& storage, const outbox::Delivery& delivery) {
  const auto message = from_json<ChatMessage>(delivery.payload);
  const ChannelOwner owner = owner_of_channel(client, message.channel_id, guilds_of(storage, delivery.tenant));
  if (owner.kind != ChannelOwner::Kind::own) return not_sent(owner);
  return verdict_of(
      client.send(create_message(message.channel_id, message_body(message.content, nonce_of(delivery.id)))));
}

DirectAttempt try_direct_message(ChatClient& client, Storage& storage, const TenantId& tenant,
                                 const DirectMessage& message, const std::string& nonce) {
  bool is_member = false;
  for (const GuildBinding& guild : guilds_of(storage, tenant)) {
    const ChatReply member = client.send(read_member({guild.guild_id, message.user_id}));
    if (!member.ok() && member.status != 404) return {verdict_of(member)};
    if ((is_member = member.ok())) break;
  }
  if (!is_member) {
    return {.verdict = outbox::dead("The receiver is not a member of this shop's chat server."), .unreachable = true};
  }
  const ChatReply opened = client.send(open_direct_channel(message.user_id));
  if (!opened.ok()) return {.verdict = verdict_of(opened), .unreachable = refuses(opened), .refused = refuses(opened)};
  const auto channel = JsonLookup::parse(opened.body);
  const std::string id = channel ? channel->text("/id") : "";
  if (id.empty()) return {outbox::retry("The chat platform has not named the channel.")};
  const ChatReply sent =
      client.send(create_message(id, message_body(message.content, nonce, {message.link_label, message.link_url})));
  return {.verdict = verdict_of(sent), .unreachable = refuses(sent), .refused = refuses(sent)};
}

outbox::Verdict edit_chat_answer(ChatClient& client, const outbox::Delivery& delivery) {
  const auto edit = from_json<ChatEdit>(delivery.payload);
  if (delivery.created_at + interaction_token_lifetime < now())
    return outbox::dead("The interaction's token has expired.");
  const ChatReply reply = client.send(edit_answer({edit.application_id, edit.token}, edit.message.text));
  // The platform may not have received the answer yet, since it is sent on another connection.
  if (reply.status == 404) return outbox::retry(reply.description());
  return verdict_of(reply);
}

}  // namespace guildhall
