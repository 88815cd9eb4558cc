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

void append_member(std::string& out, std::string_view key, std::string_view text) {
  json::append_string(out, key);
  out += ':';
  json::append_string(out, text);
}

void append_option(std::string& out, const CommandOption& option) {
  out += '{';
  append_member(out, "name", option.name);
  out += ',';
  append_member(out, "description", option.description);
  out += fmt::format(R"(,"type":{},"required":{}}})", static_cast<int>(option.type), option.required);
}

void append_command(std::string& out, const Command& command) {
  out += '{';
  append_member(out, "name", command.name);
  out += ',';
  append_member(out, "description", command.description);
  out += R"(,"type":1,"options":[)";
  for (std::size_t i = 0; i < command.options.size(); ++i) {
    if (i > 0) out += ',';
    append_option(out, command.options[i]);
  }
  out += ']';
  if (command.for_admins) {
    out += ',';
    append_member(out, "default_member_permissions", for_managers);
  }
  out += '}';
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
  std::string out = "[";
  for (const Command& command : commands()) {
    if (out.size() > 1) out += ',';
    append_command(out, command);
  }
  return out + "]";
}

}  // namespace guildhall::chat
