#include "features/action.h"
#include "features/tenancy/guild_binding.h"
#include "features/tenancy/routes.h"

namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

constexpr std::size_t guild_id_characters_max = 64;

struct Guilds {
  std::vector<GuildBinding> items;
};
BOOST_DESCRIBE_STRUCT(Guilds, (), (items))

Task<Reply> list(Call& call, Database& db) {
  co_return api::json_reply(200, Guilds{co_await db.all(guilds_of_tenant(call.tenant))});
}

// Only for PlatformAdmins: a tenant that could bind any chat server would receive the members of another shop.
Task<Reply> bind(Call& call, Database& db) {
  const std::string guild = call.param(0);
  if (guild.size() > guild_id_characters_max) throw not_found("Chat server");
  co_return api::json_reply(200, co_await db.write([&](Tx& tx) {
    if (bind_guild(tx, call.tenant, guild, call.now)) {
      action_of(call, tx).audit({"guild", guild}, "bound");
    }
    const auto binding = tx.one(binding_of_guild(guild));
    if (!binding) throw WriteRace();
    if (binding->tenant_id != call.tenant) throw conflict("GUILD_TAKEN", "This chat server is another shop's.");
    return *binding;
  }));
}

Task<Reply> release(Call& call, Database& db) {
  co_await db.write([&](Tx& tx) {
    if (!release_guild(tx, call.tenant, call.param(0))) throw not_found("Chat server");
    action_of(call, tx).audit({"guild", call.param(0)}, "released");
  });
  co_return api::no_content();
}

}  // namespace

std::vector<api::Route> guild_routes(Database& db) {
  constexpr std::string_view one = "/api/admin/guilds/:guildId";
  return {
      route(Method::get, "/api/admin/guilds", Access::admin, "The shop's chat servers", list, db)
          .gives<Guilds>(200, "All of them."),
      route(Method::put, one, Access::platform_admin, "Make a chat server the shop's", bind, db)
          .by_person()
          .gives<GuildBinding>(200, "It is.")
          .gives(409, "It is another shop's."),
      route(Method::del, one, Access::admin, "Let a chat server go", release, db)
          .by_person()
          .gives(204, "It is nobody's."),
  };
}

}  // namespace guildhall
