#include "features/chat/admission.h"

#include "features/chat/registration.h"
#include "features/customers/customer_actions.h"
#include "features/customers/customer_store.h"
#include "features/identity/chat_user.h"
#include "features/identity/user_store.h"
#include "features/messages/message_settings.h"
#include "features/messages/message_store.h"
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
  input.record.chat_id = interaction.user_id;
  input.record.chat_username = interaction.username;
  input.record.chat_display_name = interaction.display_name;
  input.record.user_id = user;
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
  const UserId new_user = UserId::make(now);
  Registration registration = register_server(home, bot, interaction, shop_of(tx, interaction), new_user);
  if (registration.message) return {.kind = Kind::answered, .message = std::move(registration.message)};
  const auto& shop = registration.shop;
  if (!shop) return {Kind::no_shop};
  const TenantId tenant = shop->tenant_id;

  std::optional<WebhookEventId> event_id;
  if (!interaction.user_id.empty()) member_ahead(tx, tenant, interaction);
  if (!interaction.id.empty()) {
    const WebhookEvent event = event_of(tenant, interaction, body, now);
    if (!insert_webhook_event(tx, event)) return {Kind::repeated};
    event_id = event.id;
  }
  CommandContext context{interaction, tenant, shop->name, {}, {}, actor, now, registration.opened};
  context.connected_server = registration.connected;
  if (registration.is_choice) {  // answered as `/register`, which has asked
    context.interaction.type = Interaction::Type::command;
    context.interaction.name = "register";
  }
  if (!interaction.user_id.empty()) {
    const ActionContext in_shop = home.in_tenant(tenant);
    context.user = user_of(in_shop, bot, interaction, new_user).id;
    context.customer = customer_of(in_shop, interaction, context.user);
    const bool has_locale = is_locale(interaction.locale);
    note_member_seen(tx, tenant, interaction.user_id, has_locale ? interaction.locale : "", now);
  }
  return {.kind = Kind::admitted, .context = std::move(context), .event = event_id};
}

Message refusal(Kind kind) {
  if (kind == Kind::repeated) return plain("This has already been done.");
  return plain("I do not know which shop you mean. Please run `/register` on a server that has one.");
}

}  // namespace guildhall::chat
