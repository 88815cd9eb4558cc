#include "features/chat/admission.h"

#include "features/customers/customer_actions.h"
#include "features/customers/customer_store.h"
#include "features/identity/chat_user.h"
#include "features/identity/tenant_actions.h"
#include "features/identity/user_store.h"
#include "features/messages/message_settings.h"
#include "features/messages/message_store.h"
#include "features/tenancy/guild_binding.h"
#include "features/webhooks/webhook_event_store.h"

namespace guildhall::chat {
namespace {

using Kind = Admission::Kind;

// The shop of the guild. A direct message has no guild: there it is the shop where the member was registered last.
std::optional<Tenant> shop_of(Tx& tx, const Interaction& interaction) {
  if (interaction.simulated_in) return tx.one(tenant_by_id(*interaction.simulated_in));
  if (interaction.guild_id.empty()) {
    if (interaction.user_id.empty()) return std::nullopt;
    return tx.one(tenant_of_identity(chat_provider, interaction.user_id));
  }
  return tx.one(tenant_of_guild(interaction.guild_id));
}

NewTenant new_shop(const std::string& tenant_id, const Interaction& interaction, const UserId& owner) {
  NewTenant input;
  input.tenant_id.value = tenant_id;
  input.name.value = fmt::format("{}'s shop", interaction.display_name);
  input.owner_user_id = owner;
  return input;
}

// The id of the guild's first shop contains the guild's id. If that shop was deleted, its id is taken, and the next one
// gets a random id.
Tenant open_shop(const ActionContext& context, const Interaction& interaction, const UserId& owner) {
  const std::string own_id = "guild-" + interaction.guild_id;
  const std::string random_id = "guild-" + make_uuid(context.now);
  Tenant tenant;
  try {
    tenant = create_tenant(context, new_shop(is_tenant_id(own_id) ? own_id : random_id, interaction, owner));
  } catch (const Failure& failure) {
    if (failure.code != "TENANT_ID_TAKEN") throw;
    tenant = create_tenant(context, new_shop(random_id, interaction, owner));
  }
  if (!bind_guild(context.tx, tenant.tenant_id, interaction.guild_id, context.now)) throw WriteRace();
  return tenant;
}

User user_of(const ActionContext& context, const Bot& bot, const Interaction& interaction, const UserId& id_if_new) {
  const ChatProfile profile{.id = interaction.user_id,
                            .username = interaction.username,
                            .display_name = interaction.display_name,
                            .email = {},
                            .avatar_url = {}};
  return find_or_create_chat_user(context, profile,
                                  {.reserved_username = bot.identity.local_admin_username,
                                   .home_tenant = bot.installation.default_tenant,
                                   .first_becomes_admin = false,
                                   .id = id_if_new});
}

// Announces the reads of user_of() and customer_of() about a member who is known.
void member_ahead(Tx& tx, const TenantId& tenant, const Interaction& interaction) {
  tx.read_ahead(user_by_identity(tenant, chat_provider, interaction.user_id).query);
  tx.read_ahead(customer_by_chat_id(tenant, interaction.user_id).query);
}

CustomerId customer_of(const ActionContext& context, const Interaction& interaction, const UserId& user) {
  const auto known = context.tx.one(customer_by_chat_id(context.tenant, interaction.user_id));
  if (known) return known->id;
  NewCustomer input;
  input.chat_id.value = interaction.user_id;
  input.chat_username.value = interaction.username;
  input.chat_display_name.value = interaction.display_name;
  input.user_id = user;
  return find_or_create_customer(context, input).customer.id;
}

WebhookEvent event_of(const TenantId& tenant, const Interaction& interaction, std::string_view body, Instant now) {
  return {.id = WebhookEventId::make(now),
          .tenant_id = tenant,
          .provider = chat_webhooks,
          .event_id = interaction.id,
          .source = WebhookSource::PROVIDER,
          .status = WebhookStatus::RECEIVED,
          .attempts = 1,
          .error = {},
          .payload = RawJson{std::string(body)},
          .received_at = now,
          .processed_at = {},
          .created_at = now,
          .updated_at = now,
          .version = {1}};
}

}  // namespace

Admission admit(Tx& tx, const Bot& bot, const Interaction& interaction, std::string_view body, const Actor& actor,
                Instant now) {
  const ActionContext home{tx, bot.events, bot.installation.default_tenant, actor, now};
  auto shop = shop_of(tx, interaction);
  const UserId new_user = UserId::make(now);
  const bool opens_shop = !shop && !interaction.guild_id.empty() && interaction.type == Interaction::Type::command &&
                          interaction.name == "register";
  if (opens_shop && (!interaction.manages_guild || interaction.user_id.empty())) return {Kind::needs_manager};
  if (opens_shop && !bot.config.chat_makes_tenants()) return {Kind::cannot_open};
  if (opens_shop) shop = open_shop(home, interaction, new_user);
  if (!shop) return {Kind::no_shop};
  const TenantId tenant = shop->tenant_id;

  std::optional<WebhookEventId> event_id;
  if (!interaction.user_id.empty()) member_ahead(tx, tenant, interaction);
  if (!interaction.id.empty()) {
    const WebhookEvent event = event_of(tenant, interaction, body, now);
    if (!insert_webhook_event(tx, event)) return {Kind::repeated};
    event_id = event.id;
  }
  CommandContext context{interaction, tenant, shop->name, {}, {}, actor, now, opens_shop};
  if (!interaction.user_id.empty()) {
    const ActionContext registration = home.in_tenant(tenant);
    context.user = user_of(registration, bot, interaction, new_user).id;
    context.customer = customer_of(registration, interaction, context.user);
    const bool has_locale = is_locale(interaction.locale);
    note_member_seen(tx, tenant, interaction.user_id, has_locale ? interaction.locale : "", now);
  }
  return {Kind::admitted, std::move(context), event_id};
}

Message refusal(Kind kind) {
  switch (kind) {
    case Kind::needs_manager:
      return plain("This server has no shop yet. Someone who can manage the server can open one with `/register`.");
    case Kind::cannot_open:
      return plain(
          "Shops cannot be opened from the chat here: the operator has not configured how interactions are verified.");
    case Kind::repeated:
      return plain("This has already been done.");
    case Kind::no_shop:
    case Kind::admitted:
      break;
  }
  return plain("I do not know which shop you mean. Please run `/register` on a server that has one.");
}

}  // namespace guildhall::chat
