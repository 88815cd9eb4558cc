#include "features/slice.h"

#include "features/tenancy/routes.h"

namespace guildhall {
namespace {

std::unique_ptr<SettingsRules> make_settings_rules() {
  return std::make_unique<SettingsRules>();
}

}  // namespace

Slice tenancy_slice() {
  return Slice("tenancy")
      .table({.name = "tenants", .other = "name owner_user_id admin_user_ids"})
      .table({.name = "tenant_settings", .other = "currency time_zone allowed_origins order_number_prefix"})
      .table({.name = "tenant_origins", .other = "origin"})
      .table({.name = "guild_bindings", .other = "guild_id"})
      .table({.name = "chat_binding_codes", .other = "code_hash verifier user_id"})
      .per_loop(make_settings_rules)
      .routes(guild_routes)
      .routes(tenant_settings_routes);
}

}  // namespace guildhall
