#pragma once

#include "features/chat/bot.h"

// The shop in the chat: products → a product's card → buy → a form → how to pay → the order.
namespace guildhall::chat {

// The names of its steps, as components carry them.
namespace steps {
constexpr std::string_view page = "page";  // argument: where the list goes on
constexpr std::string_view pick = "pick";  // chosen: a product
constexpr std::string_view card = "card";  // argument: a product
constexpr std::string_view buy = "buy";    // argument: a product
constexpr std::string_view form = "form";  // argument: a product; a modal
}  // namespace steps

Task<Answer> show_shop(const Bot& bot, const CommandContext& context);
Task<Answer> show_page(const Bot& bot, const CommandContext& context, const Step& step);
Task<Answer> show_picked(const Bot& bot, const CommandContext& context, const Step& step);
Task<Answer> show_card(const Bot& bot, const CommandContext& context, const Step& step);
Task<Answer> ask_details(const Bot& bot, const CommandContext& context, const Step& step);
Task<Answer> take_details(const Bot& bot, const CommandContext& context, const Step& step);

}  // namespace guildhall::chat
