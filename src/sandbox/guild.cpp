#include "sandbox/guild.h"

#include <algorithm>
#include <atomic>

#include "base/json_writer.h"

namespace guildhall::sandbox {
namespace {

constexpr std::int64_t platform_epoch_ms = 1'420'070'400'000;
constexpr std::string_view manage_guild = "32";

template <class List>
auto* find_in(List& list, const std::string& id) {
  const auto found = std::ranges::find_if(list, [&](const auto& one) { return one.id == id; });
  return found == list.end() ? nullptr : &*found;
}

void append_messages(std::string& out, const Channel& channel) {
  json::ArrayWriter list(out);
  for (const Message& message : channel.messages) append_json(list.next(), message);
}

void append_member(std::string& out, const Guild& guild, const Member& member) {
  json::ObjectWriter object(out);
  object.add("id", member.id);
  object.add("username", member.username);
  object.add("displayName", member.display_name);
  {
    json::ArrayWriter roles(object.key("roles"));
    for (const std::string& role : member.roles) roles.add(role);
  }
  const auto direct = std::ranges::find(guild.direct_channels, member.id, &Channel::recipient);
  append_messages(object.key("directMessages"), direct == guild.direct_channels.end() ? Channel{} : *direct);
}

}  // namespace

Message& Channel::add(Message message) {
  if (messages.size() >= messages_max) messages.pop_front();
  return messages.emplace_back(std::move(message));
}

Message* Channel::find(const std::string& wanted) {
  return find_in(messages, wanted);
}

void Channel::remove(const std::string& wanted) {
  std::erase_if(messages, [&](const Message& message) { return message.id == wanted; });
}

Member* Guild::find_member(const std::string& wanted) {
  return find_in(members, wanted);
}

Channel* Guild::find_channel(const std::string& wanted) {
  Channel* found = find_in(channels, wanted);
  return found != nullptr ? found : find_in(direct_channels, wanted);
}

Channel& Guild::direct_channel(const std::string& member) {
  const auto found = std::ranges::find(direct_channels, member, &Channel::recipient);
  if (found != direct_channels.end()) return *found;
  return direct_channels.emplace_back(Channel{.id = new_snowflake(), .name = "", .recipient = member});
}

const Role* Guild::find_role(const std::string& wanted) const {
  return find_in(roles, wanted);
}

Guild lantern_guild(const std::string& id) {
  Guild guild{.id = id};
  guild.roles = {{"300000000000000001", "Lantern Keeper", 0xf2b705, 3},
                 {"300000000000000002", "Patron", 0x3b82f6, 2},
                 {"300000000000000010", "Guildhall", 0x6b7280, bot_role_position},
                 {"300000000000000011", "Owner", 0xdc2626, bot_role_position + 1}};
  guild.channels = {
      {"400000000000000001", "shop"}, {"400000000000000002", "staff"}, {"400000000000000003", "celebrations"}};
  guild.members = {{"200000000000000100", "mira", "Mira", std::string(manage_guild), {"300000000000000011"}},
                   {"200000000000000002", "grace", "Grace"},
                   {"200000000000000003", "linus", "Linus"}};
  return guild;
}

std::string new_snowflake() {
  static std::atomic<std::int64_t> last = 0;
  const std::int64_t candidate = (now().ms - platform_epoch_ms) << 22;
  std::int64_t before = last.load(), next = 0;
  do {
    next = std::max(candidate, before + 1);
  } while (!last.compare_exchange_weak(before, next));
  return std::to_string(next);
}

void append_json(std::string& out, const Message& message) {
  json::ObjectWriter object(out);
  object.add("id", message.id);
  object.add("author", message.author);
  object.add("createdAt", to_string(message.created_at));
  message.ephemeral_for ? object.add("ephemeralFor", *message.ephemeral_for) : object.add("ephemeralFor", nullptr);
  object.add("content", message.content);
  object.key("embeds") += message.embeds;
  object.key("components") += message.components;
  object.add("pending", message.pending);
  if (message.reply_member.empty()) {
    object.add("replyTo", nullptr);
  } else {
    object.add("replyTo", json::object({{"member", message.reply_member}, {"command", message.reply_command}}));
  }
}

void append_json(std::string& out, const Guild& guild, const std::string& commands) {
  json::ObjectWriter object(out);
  object.add("id", guild.id);
  object.add("name", guild.name);
  {
    json::ArrayWriter roles(object.key("roles"));
    for (const Role& role : guild.roles) {
      roles.add(
          json::object({{"id", role.id}, {"name", role.name}, {"color", role.color}, {"position", role.position}}));
    }
  }
  {
    json::ArrayWriter channels(object.key("channels"));
    for (const Channel& channel : guild.channels) {
      json::ObjectWriter one(channels.next());
      one.add("id", channel.id);
      one.add("name", channel.name);
      append_messages(one.key("messages"), channel);
    }
  }
  {
    json::ArrayWriter members(object.key("members"));
    for (const Member& member : guild.members) append_member(members.next(), guild, member);
  }
  object.key("commands") += commands;
}

}  // namespace guildhall::sandbox
