// `/fund` and `/donate`.
#include "base/decimal.h"
#include "features/chat/cart.h"
#include "features/chat/checkout.h"
#include "features/chat/command_list.h"
#include "features/chat/formatting.h"
#include "features/fund/fund_actions.h"
#include "features/fund/fund_store.h"

namespace guildhall::chat {
namespace {

constexpr std::string_view give_step = "give";  // argument: 1 for an anonymous donation, else 0; chosen: an amount

// A decimal number with no more decimals than the currency has, so that the amount is never rounded.
std::optional<Cents> amount_from(const std::string& text, Currency currency) {
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
  if (decimals > static_cast<std::size_t>(currency.minor_units()) || text.ends_with('.')) return std::nullopt;
  return parse_decimal(text, currency);
}

Task<FundConfig> fund_of(const Bot& bot, const CommandContext& context) {
  auto config = co_await bot.db.one(fund_config_of(context.tenant));
  co_return config ? std::move(*config) : default_fund_config(context.tenant, context.now);
}

Message choose_amount(const Bot& bot, const CommandContext& context, const FundConfig& fund, bool anonymous) {
  Select select{custom_id(bot, context, give_step, anonymous ? "1" : "0"), "How much?", {}};
  for (const std::int64_t cents : fund.allowed_amounts_cents) {
    const std::string amount = money_text(Cents(cents), fund.money(), context.interaction.locale);
    select.options.push_back({amount, std::to_string(cents)});
  }
  Embed embed{.title = "Contribute to the community fund", .footer = fund.disclaimer_text};
  if (fund.custom_amount_allowed) {
    embed.description = "Choose an amount, or enter your own: `/donate amount:7.50`.";
  }
  return {.embeds = {std::move(embed)}, .rows = {std::move(select)}};
}

Task<Answer> give(const Bot& bot, const CommandContext& context, const FundConfig& fund, Cents amount, bool anonymous) {
  check_donation_amount(fund, amount);
  check_anonymity(fund, anonymous);
  Cart cart = new_cart(context, ProductId(community_fund_product), amount, fund.money());
  cart.anonymous = anonymous;
  co_return co_await ask_payment(bot, context, cart, "");
}

Task<Answer> show_fund(const Bot& bot, const CommandContext& context) {
  const FundConfig fund = co_await fund_of(bot, context);
  require_enabled(fund);
  const auto totals = co_await bot.db.one(fund_totals_of(context.tenant));
  const FundBalance balance = totals ? totals->balance() : FundBalance{};
  const auto amount_text = [&](std::int64_t cents) {
    return money_text(Cents(cents), fund.money(), context.interaction.locale);
  };
  co_return Message{.embeds = {{.title = fmt::format("Community fund of {}", context.shop),
                                .description = "Contribute with `/donate`.",
                                .fields = {{"Balance", amount_text(balance.current_balance_cents), true},
                                           {"Given", amount_text(balance.total_contributed_cents), true},
                                           {"Paid out", amount_text(balance.total_disbursed_cents), true}},
                                .footer = fund.disclaimer_text}}};
}

Task<Answer> donate(const Bot& bot, const CommandContext& context) {
  const FundConfig fund = co_await fund_of(bot, context);
  require_enabled(fund);
  const bool anonymous = context.interaction.input("anonymous") == "true";
  const std::string text = context.interaction.input("amount");
  if (text.empty()) co_return choose_amount(bot, context, fund, anonymous);
  const auto amount = amount_from(text, fund.money());
  if (!amount) co_return plain("Please enter an amount such as `5` or `5.50`.");
  co_return co_await give(bot, context, fund, *amount, anonymous);
}

Task<Answer> donate_chosen(const Bot& bot, const CommandContext& context, const Step& step) {
  const FundConfig fund = co_await fund_of(bot, context);
  if (context.interaction.chosen.empty()) co_return out_of_date();
  const std::string& chosen = context.interaction.chosen.front();
  for (const std::int64_t cents : fund.allowed_amounts_cents) {
    if (std::to_string(cents) == chosen) {
      co_return co_await give(bot, context, fund, Cents(cents), step.argument == "1");
    }
  }
  co_return plain("This amount is no longer offered. Please choose again with `/donate`.");
}

}  // namespace

CommandGroup fund_commands() {
  using Type = CommandOption::Type;
  return {.commands = {{"donate",
                        "Contribute to the community fund",
                        donate,
                        {{"amount", Type::text, "Amount, for example 5 or 5.50"},
                         {"anonymous", Type::boolean, "Hide your name"}}},
                       {.name = "fund",
                        .description = "Show the balance of the community fund",
                        .run = show_fund,
                        .for_anybody = true}},
          .steps = {{give_step, donate_chosen}}};
}

}  // namespace guildhall::chat
