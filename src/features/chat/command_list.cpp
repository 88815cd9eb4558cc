#include "features/chat/command_list.h"

#include "base/json_writer.h"
#include "features/chat/checkout.h"

namespace guildhall::chat {
namespace {

using Type = CommandOption::Type;

constexpr std::string_view for_managers = "32";  // who may manage the server is offered it; our own grants decide

constexpr std::pair<std::string_view, RunStep> step_list[] = {
    {steps::page, show_page},    {steps::pick, show_picked}, {steps::card, show_card},    {steps::buy, ask_details},
    {steps::form, take_details}, {steps::pay, order_cart},   {steps::give, donate_chosen}};

void append_command(std::string& out, const Command& command) {
  json::ObjectWriter object(out);
  object.add("name", command.name);
  object.add("description", command.description);
  object.add("type", 1);
  {
    json::ArrayWriter options(object.key("options"));
    for (const CommandOption& option : command.options) {
      options.add(json::object({{"name", option.name},
                                {"description", option.description},
                                {"type", static_cast<int>(option.type)},
                                {"required", option.required}}));
    }
  }
  if (command.for_admins) object.add("default_member_permissions", for_managers);
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"register", "Join this server's shop, or open one", greet},
      {.name = "help", .description = "What I can do", .run = show_help, .for_anybody = true},
      {.name = "shop", .description = "See what is for sale", .run = show_shop, .for_anybody = true},
      {"order", "One of your orders", show_order, {{"number", Type::text, "The order's number", true}}},
      {"orders", "Your latest orders", show_orders},
      {"donate",
       "Give to the community fund",
       donate,
       {{"amount", Type::text, "How much, for example 5 or 5.50"},
        {"anonymous", Type::boolean, "Whether to hide your name"}}},
      {.name = "fund", .description = "How much the community fund holds", .run = show_fund, .for_anybody = true},
      {"notify",
       "Send a message as the shop",
       notify,
       {{"message", Type::text, "What to say", true},
        {"user", Type::user, "To this member, in a direct message"},
        {"channel", Type::channel, "To this channel; otherwise to the present one"}},
       true},
  };
  return list;
}

RunStep run_of_step(std::string_view name) {
  for (const auto& [known, run] : step_list) {
    if (known == name) return run;
  }
  return nullptr;
}

std::string commands_json() {
  return json::write_array([](json::ArrayWriter& list) {
    for (const Command& command : commands()) append_command(list.next(), command);
  });
}

}  // namespace guildhall::chat
