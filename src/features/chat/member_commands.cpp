// `/register` and `/help`.
#include "features/chat/command_list.h"
#include "features/chat/registration.h"
#include "features/identity/grants.h"
#include "features/identity/permissions.h"
#include "features/identity/tenant_actions.h"

namespace guildhall::chat {
namespace {

// Every admitted member is registered already, so the command only confirms it.
Task<Answer> confirm_registration(const Bot&, const CommandContext& context) {
  if (context.connected_server) {
    co_return plain(fmt::format("**This server is connected to {}.** Members buy here with `/shop`.", context.shop));
  }
  if (!context.opened_shop) {
    co_return plain(fmt::format("You are registered with **{}**. Browse the shop with `/shop`.", context.shop));
  }
  co_return plain(fmt::format(
      "**Your shop is open.** This server is a shop now, and you are its administrator. Its tenant id is `{}`: sign in "
      "with your chat account and this id to add products and ways to pay.\n-# Do you have a shop already? Make a code "
      "on its page \"Chat\", and enter `/register code:` with it here. This server then belongs to that shop.",
      context.tenant.text()));
}

bool administers(Tx& tx, const Bot& bot, const CommandContext& context) {
  const auto keys = tx.all(grants_of(context.tenant, context.tenant, context.user, bot.installation.default_tenant));
  return holds(with_implied(keys), tenant_admin);
}

// Gives up the empty shop of the server, and connects the server to the shop of the code.
Task<Answer> move_server(const Bot& bot, const CommandContext& context, const Step& step) {
  if (!context.interaction.manages_guild) co_return out_of_date();
  const GivenUpShop given = co_await bot.db.write([&](Tx& tx) {
    if (!administers(tx, bot, context)) throw not_found("Shop");
    return give_up_shop(context.action(tx, bot), bot.installation.default_tenant, step.argument);
  });
  for (const UserId& member : given.removed.members) co_await bot.sessions.recheck(member, context.now);
  co_return plain(fmt::format("**This server is connected to {}.** The empty shop {} is given up.",
                              given.into ? given.into->name : "", context.shop));
}

Task<Answer> show_help(const Bot&, const CommandContext& context) {
  Embed embed{.title = context.shop, .description = "Here is what I can do:"};
  for (const Command& command : commands()) {
    embed.fields.push_back({fmt::format("/{}", command.name), std::string(command.description)});
  }
  co_return Message{.embeds = {std::move(embed)}};
}

}  // namespace

CommandGroup member_commands() {
  return {.commands = {{"register",
                        "Join this server's shop, or open one",
                        confirm_registration,
                        {{"code", CommandOption::Type::text, "The code that connects this server to your shop"}}},
                       {.name = "help", .description = "Show what I can do", .run = show_help, .for_anybody = true}},
          .steps = {{move_server_step, move_server}}};
}

}  // namespace guildhall::chat
