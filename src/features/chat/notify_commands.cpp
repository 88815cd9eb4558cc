// `/notify`: an admin sends a message in the shop's name, to a member or to a channel.
#include "base/json_lookup.h"
#include "base/text.h"
#include "features/chat/command_list.h"
#include "features/chat_platform/chat_outbox.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "outbox/chat_messages.h"

namespace guildhall::chat {
namespace {

constexpr std::int64_t cannot_send_to_user = 50007;
constexpr std::string_view not_own_channel = "The channel is not in this shop's server.";

struct Notice {
  std::string user;  // empty: the notice goes to the channel
  std::string channel;
  std::string text;
  std::string nonce;
  bool channel_is_own = false;            // the interaction shows that the channel is in the shop's server
  std::vector<GuildBinding> guilds = {};  // the shop's servers; read only if the channel must be checked

  bool is_direct() const { return !user.empty(); }
  std::string recipient() const { return is_direct() ? fmt::format("<@{}>", user) : fmt::format("<#{}>", channel); }
};

Task<bool> is_admin(const Bot& bot, const CommandContext& context) {
  const auto keys = with_implied(
      co_await bot.db.all(grants_of(context.tenant, context.tenant, context.user, bot.installation.default_tenant)));
  co_return std::find(keys.begin(), keys.end(), "admin.access") != keys.end();
}

// Whether the interaction shows that the channel is in the server from which the interaction came.
bool is_in_own_server(const Interaction& interaction, const std::string& channel) {
  return !interaction.guild_id.empty() && (channel == interaction.channel_id || interaction.resolved.contains(channel));
}

// Sends the notice. Blocks. For a direct message a channel is opened first; any other channel must be in one of the
// shop's servers.
ChatReply deliver(ChatClient& client, Notice notice) {
  if (notice.is_direct()) {
    const ChatReply opened = client.send(open_direct_channel(notice.user));
    if (!opened.ok()) return opened;
    const auto channel = JsonLookup::parse(opened.body);
    notice.channel = channel ? channel->text("/id") : "";
    if (notice.channel.empty()) return {.message = "It did not say which channel."};
  } else if (!notice.channel_is_own) {
    ChannelOwner owner = owner_of_channel(client, notice.channel, notice.guilds);
    if (owner.kind != ChannelOwner::Kind::own && !owner.reply.ok()) return owner.reply;
    if (owner.kind != ChannelOwner::Kind::own) return {.status = 403, .message = std::string(not_own_channel)};
  }
  return client.send(create_message(notice.channel, message_body(notice.text, notice.nonce)));
}

std::string outcome(const Notice& notice, const ChatReply& reply) {
  if (reply.ok()) return fmt::format("Sent to {}.", notice.recipient());
  if (reply.wait) {
    return fmt::format("Not sent: the chat platform asked us to wait {} seconds. Please try again then.",
                       (reply.wait->count() + 999) / 1000);
  }
  if (reply.code == cannot_send_to_user) {
    return fmt::format("Not sent: {} does not accept direct messages from this server.", notice.recipient());
  }
  if (reply.status == 0) return fmt::format("Not sent: the chat platform did not answer. {}", reply.message);
  return fmt::format("Not sent to {}: {}", notice.recipient(), reply.description());
}

// Writes the audit row before the notice is sent, so that no notice is sent without one. Returns the id of the outbox
// message that edits the reply if this process dies before the outcome is known; empty if the reply cannot be edited.
std::string record(Tx& tx, const Bot& bot, const CommandContext& context, const Notice& notice) {
  context.action(tx, bot).audit(
      {notice.is_direct() ? "chat user" : "chat channel", notice.is_direct() ? notice.user : notice.channel},
      "notified");
  const InteractionAddress address = reply_address(bot, context.interaction);
  if (!can_be_edited(address)) return "";
  return queue_edit(tx, context.tenant, address,
                    plain("I was interrupted and cannot tell whether the message was sent."),
                    context.now + fallback_after, context.now);
}

Task<Message> send(const Bot& bot, Notice notice) {
  try {
    const ChatReply reply = co_await bot.outbound.run([&] { return deliver(bot.client, notice); });
    co_return plain(outcome(notice, reply));
  } catch (const Failure& failure) {  // no thread is free
    co_return plain(fmt::format("Not sent: {}", failure.sentence));
  }
}

Task<Answer> notify(const Bot& bot, const CommandContext& context) {
  if (!co_await is_admin(bot, context)) co_return plain("Only the shop's administrators can do that.");
  if (!bot.client.has_bot()) co_return plain("I cannot send messages: the operator has not set CHAT_BOT_TOKEN.");
  const Interaction& interaction = context.interaction;
  const std::string chosen_channel = interaction.input("channel");
  Notice notice{.user = interaction.input("user"),
                .channel = chosen_channel.empty() ? interaction.channel_id : chosen_channel,
                .text = interaction.input("message"),
                .nonce = interaction.id.empty() ? "" : nonce_of(interaction.id)};
  const std::string& named = notice.is_direct() ? notice.user : chosen_channel;
  if (!named.empty() && !interaction.is_of_guild(named)) {
    co_return plain("Not sent: this server has no such member or channel.");
  }
  if (is_blank(notice.text)) co_return plain("Not sent: the message is empty.");
  if (utf16_units(notice.text) > chat_message_characters_max) {
    co_return plain(fmt::format("Not sent: a message can have at most {} characters.", chat_message_characters_max));
  }
  if (!notice.is_direct() && notice.channel.empty()) co_return plain("Please choose a member or a channel.");
  notice.channel_is_own = is_in_own_server(interaction, notice.channel);
  if (!notice.is_direct() && !notice.channel_is_own) {
    notice.guilds = co_await bot.db.all(guilds_of_tenant(context.tenant));
  }
  const std::string fallback = co_await bot.db.write([&](Tx& tx) { return record(tx, bot, context, notice); });
  co_return co_await answer_or_defer(
      bot, context, [&bot, notice] { return send(bot, notice); }, fallback);
}

}  // namespace

CommandGroup notify_commands() {
  using Type = CommandOption::Type;
  return {.commands = {{"notify",
                        "Send a message as the shop",
                        notify,
                        {{"message", Type::text, "Text of the message", true},
                         {"user", Type::user, "Send it to this member as a direct message"},
                         {"channel", Type::channel, "Post in this channel instead of the current one"}},
                        true}}};
}

}  // namespace guildhall::chat
