// `/register` and `/help`.
#include "features/chat/command_list.h"

namespace guildhall::chat {
namespace {

// Every admitted member is registered already, so the command only confirms it.
Task<Answer> confirm_registration(const Bot&, const CommandContext& context) {
  if (!context.opened_shop) {
    co_return plain(fmt::format("You are registered with **{}**. Browse the shop with `/shop`.", context.shop));
  }
  co_return plain(fmt::format(
      "**Your shop is open.** This server is a shop now, and you are its administrator. Its tenant id is `{}`: sign in "
      "with your chat account and this id to add products and ways to pay.",
      context.tenant.text()));
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
  return {.commands = {{"register", "Join this server's shop, or open one", confirm_registration},
                       {.name = "help", .description = "Show what I can do", .run = show_help, .for_anybody = true}}};
}

}  // namespace guildhall::chat
