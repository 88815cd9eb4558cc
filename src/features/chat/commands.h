#pragma once

#include "features/chat/bot.h"

// What members can ask for, besides the shop.
namespace guildhall::chat {

namespace steps {
constexpr std::string_view give = "give";  // argument: 1 for an anonymous donation, 0 otherwise; chosen: an amount
}  // namespace steps

Task<Answer> greet(const Bot& bot, const CommandContext& context);  // register
Task<Answer> show_help(const Bot& bot, const CommandContext& context);
Task<Answer> show_orders(const Bot& bot, const CommandContext& context);
Task<Answer> show_order(const Bot& bot, const CommandContext& context);
Task<Answer> show_fund(const Bot& bot, const CommandContext& context);
Task<Answer> donate(const Bot& bot, const CommandContext& context);
Task<Answer> donate_chosen(const Bot& bot, const CommandContext& context, const Step& step);
Task<Answer> notify(const Bot& bot, const CommandContext& context);

}  // namespace guildhall::chat
