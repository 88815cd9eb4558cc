#include "features/chat/registration.h"

#include <algorithm>

#include "features/identity/grants.h"
#include "features/identity/provider_config.h"
#include "features/identity/tenant_actions.h"
#include "features/tenancy/binding_code.h"
#include "features/tenancy/empty_shop.h"
#include "features/tenancy/guild_binding.h"

namespace guildhall::chat {
namespace {

constexpr std::string_view which_shop_step = "which-shop";  // chosen: a tenant, or a new shop
constexpr std::string_view new_shop = "+";                  // no tenant has this id
constexpr std::int64_t shops_a_day_max = 10;                // of one member; shops that were given up count, too

NewTenant new_tenant(const std::string& tenant_id, const Interaction& interaction, const UserId& owner) {
  NewTenant input;
  input.tenant_id.value = tenant_id;
  input.name.value = fmt::format("{}'s shop", interaction.display_name);
  input.owner_user_id = owner;
  return input;
}

// The id of the guild's first shop contains the guild's id. If that shop was deleted, its id is taken, and the next one
// gets a random id.
Tenant open_shop(const ActionContext& home, const Interaction& interaction, const UserId& owner) {
  const std::string own_id = "guild-" + interaction.guild_id;
  const std::string random_id = "guild-" + make_uuid(home.now);
  Tenant tenant;
  try {
    tenant = create_tenant(home, new_tenant(is_tenant_id(own_id) ? own_id : random_id, interaction, owner));
  } catch (const Failure& failure) {
    if (failure.code != "TENANT_ID_TAKEN") throw;
    tenant = create_tenant(home, new_tenant(random_id, interaction, owner));
  }
  if (!bind_guild(home.tx, tenant.tenant_id, interaction.guild_id, home.now)) throw WriteRace();
  return tenant;
}

std::vector<Tenant> own_shops(Tx& tx, const Interaction& interaction) {
  constexpr std::int64_t shops_max = select_options_max - 1;
  std::vector<Tenant> shops = tx.all(tenants_administered_by(chat_provider, interaction.user_id, shops_max));
  std::ranges::sort(shops, {}, &Tenant::name);
  return shops;
}

Message ask_which_shop(const ActionContext& home, const Bot& bot, const Interaction& interaction,
                       const std::vector<Tenant>& shops) {
  Select select{bot.ids.sign({std::string(which_shop_step)}, {home.tenant, interaction.user_id}, home.now),
                "Choose the shop of this server",
                {}};
  for (const Tenant& shop : shops) select.options.push_back({shop.name, shop.tenant_id.text(), shop.tenant_id.text()});
  select.options.push_back({"Open a new shop", std::string(new_shop), "With products and orders of its own"});
  return {.content = "You have a shop already. Which shop does this server belong to?", .rows = {std::move(select)}};
}

// The answer to ask_which_shop(): a tenant's id or `new_shop`. Nothing if the interaction is something else.
std::optional<std::string> chosen_shop(const ActionContext& home, const Bot& bot, const Interaction& interaction) {
  if (interaction.type != Interaction::Type::component || interaction.chosen.empty()) return std::nullopt;
  const auto step = bot.ids.verify(interaction.name, {home.tenant, interaction.user_id}, home.now);
  if (!step || step->name != which_shop_step) return std::nullopt;
  return interaction.chosen.front();
}

Registration refused(std::string sentence) {
  return {.message = plain(std::move(sentence))};
}

// Without a code, because the platform vouches for the member, and the member administers the shop.
Registration connect_own_shop(const ActionContext& home, const Interaction& interaction, const std::string& id) {
  for (Tenant& shop : own_shops(home.tx, interaction)) {
    if (shop.tenant_id.text() != id) continue;
    if (!bind_guild(home.tx, shop.tenant_id, interaction.guild_id, home.now)) throw WriteRace();
    home.in_tenant(shop.tenant_id).audit({"guild", interaction.guild_id}, "bound");
    return {.shop = std::move(shop), .connected = true, .is_choice = true};
  }
  return refused("You do not administer this shop any more. Start again with `/register`.");
}

// The server belongs to another shop than the code's. A member who administers that shop may move the server if the
// shop is empty.
Registration offer_move(const ActionContext& home, const Bot& bot, const Interaction& interaction,
                        const Tenant& present, const Tenant& wanted) {
  const auto own = own_shops(home.tx, interaction);
  const bool is_own = std::ranges::find(own, present.tenant_id, &Tenant::tenant_id) != own.end();
  if (!is_own || present.tenant_id == home.tenant || !is_empty_shop(home.tx, present.tenant_id)) {
    return refused(fmt::format(
        "This server belongs to another shop, **{}**. An administrator of that shop can disconnect it in the console.",
        present.name));
  }
  const std::string code = plain_binding_code(interaction.input("code"));
  Buttons buttons{
      {Button::Style::primary, fmt::format("Connect to {}", wanted.name),
       bot.ids.sign({std::string(move_server_step), code}, {present.tenant_id, interaction.user_id}, home.now)}};
  return {.message =
              Message{.content = fmt::format("This server belongs to **{}**, a shop without products and orders. "
                                             "Connect it to **{}** instead, and give up the empty shop?",
                                             present.name, wanted.name),
                      .rows = {std::move(buttons)}}};
}

Registration connect_with_code(const ActionContext& home, const Bot& bot, const Interaction& interaction,
                               const std::optional<Tenant>& present) {
  Tx& tx = home.tx;
  const auto code = tx.one(binding_code(interaction.input("code"), home.now));
  auto wanted = code ? tx.one(tenant_by_id(code->tenant_id)) : std::nullopt;
  if (!wanted) return refused(binding_code_invalid().sentence);
  switch (bind_with_code(tx, *code, interaction.guild_id, home.actor, home.now)) {
    case BindingOutcome::expired:
      return refused(binding_code_invalid().sentence);
    case BindingOutcome::taken:
      if (!present) throw WriteRace();
      return offer_move(home, bot, interaction, *present, *wanted);
    case BindingOutcome::already:
    case BindingOutcome::connected:
      break;
  }
  return {.shop = std::move(wanted), .connected = true};
}

}  // namespace

Registration register_server(const ActionContext& home, const Bot& bot, const Interaction& interaction,
                             std::optional<Tenant> present, const UserId& owner) {
  if (interaction.guild_id.empty() || interaction.simulated_in) return {.shop = std::move(present)};
  const bool is_command = interaction.type == Interaction::Type::command && interaction.name == "register";
  const bool has_code = is_command && !interaction.input("code").empty();
  const auto choice = present ? std::nullopt : chosen_shop(home, bot, interaction);
  if (!has_code && !choice && (present || !is_command)) return {.shop = std::move(present)};

  if (!interaction.manages_guild || interaction.user_id.empty()) {
    return refused(present ? "Only someone who can manage this server can connect it to a shop."
                           : "This server has no shop yet. Someone who can manage the server can open one with "
                             "`/register`.");
  }
  // An unverified interaction can be forged by anybody. In development a code is enough.
  if (!bot.config.chat_makes_tenants() && !(has_code && bot.installation.development)) {
    return refused(
        "Shops cannot be opened from the chat here: the operator has not configured how interactions are verified.");
  }
  if (has_code) return connect_with_code(home, bot, interaction, present);
  if (choice && *choice != new_shop) return connect_own_shop(home, interaction, *choice);
  if (!choice) {
    const auto shops = own_shops(home.tx, interaction);
    if (!shops.empty()) return {.message = ask_which_shop(home, bot, interaction, shops)};
  }
  const Instant yesterday = home.now - std::chrono::days(1);
  if (home.tx.one(number_of_shops_opened(chat_provider, interaction.user_id, yesterday)).value() >= shops_a_day_max) {
    return refused("You have opened many shops today. Please open the next one tomorrow.");
  }
  return {.shop = open_shop(home, interaction, owner), .opened = true, .is_choice = choice.has_value()};
}

}  // namespace guildhall::chat
