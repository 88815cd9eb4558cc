#pragma once

#include "features/chat/bot.h"

// What members can ask for, besides the shop.
namespace guildhall::chat {

namespace steps {
constexpr std::string_view give = "give";  // argument: 1 for an anonymous donation, 0 otherwise; chosen: an amount
}  // namespace steps

Task<Answer> greet(const Bot& bot, const Visit& visit);  // register
Task<Answer> show_help(const Bot& bot, const Visit& visit);
Task<Answer> show_orders(const Bot& bot, const Visit& visit);
Task<Answer> show_order(const Bot& bot, const Visit& visit);
Task<Answer> show_fund(const Bot& bot, const Visit& visit);
Task<Answer> donate(const Bot& bot, const Visit& visit);
Task<Answer> donate_chosen(const Bot& bot, const Visit& visit, const Step& step);
Task<Answer> notify(const Bot& bot, const Visit& visit);

}  // namespace guildhall::chat
