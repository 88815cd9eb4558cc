#include "api/resource.h"
#include "base/json_lookup.h"
#include "features/chat/routes.h"
#include "features/tenancy/guild_binding.h"

namespace guildhall {
namespace {

using api::Access, api::Call, api::route, http::Method, http::Reply;
using chat::Bot;

struct GuildRole {
  std::string id;
  std::string name;
  bool assignable = false;  // false: everybody has it, or the platform manages it
};
BOOST_DESCRIBE_STRUCT(GuildRole, (), (id, name, assignable))

struct GuildRoles {
  std::optional<std::string> guild_id;  // null: no chat server is bound, or the server has no bot token
  std::vector<GuildRole> items;
};
BOOST_DESCRIBE_STRUCT(GuildRoles, (), (guild_id, items))

constexpr std::size_t roles_max = 250;  // the platform's limit for a guild

GuildRoles roles_from(const std::string& guild, const JsonLookup& reply) {
  GuildRoles roles{.guild_id = guild, .items = {}};
  const std::size_t count = std::min(reply.size(""), roles_max);
  for (std::size_t i = 0; i < count; ++i) {
    const auto role = reply.at(fmt::format("/{}", i));
    const auto id = role ? role->string("/id") : std::nullopt;
    if (!id) continue;
    roles.items.push_back(
        {.id = *id, .name = role->text("/name"), .assignable = *id != guild && role->text("/managed") != "true"});
  }
  return roles;
}

// The roles of the chat server in which entitlements take effect: the one that was bound first.
Task<Reply> list(Call& call, const Bot& bot) {
  const auto binding = co_await bot.db.one(guild_of_tenant(call.tenant));
  if (!binding || !bot.client.has_bot()) co_return api::json_reply(200, GuildRoles{});
  const std::string& guild = binding->guild_id;
  const ChatReply reply =
      co_await bot.outbound.run([&] { return bot.client.send(read_roles(guild)); }, call.tenant.text());
  const auto parsed = reply.ok() ? JsonLookup::parse_list(reply.body) : std::nullopt;
  if (!parsed) throw unavailable("The chat platform cannot list the roles of the chat server at the moment.");
  co_return api::json_reply(200, roles_from(guild, *parsed));
}

}  // namespace

std::vector<api::Route> guild_role_routes(const chat::Bot& bot) {
  return {
      route(Method::get, "/api/data/chat-role", Access::data_read, "The roles of the shop's chat server", list, bot)
          .limited({.endpoint = "chat_roles", .per_minute = 60})
          .gives<GuildRoles>(200, "As the chat platform lists them now."),
  };
}

}  // namespace guildhall
