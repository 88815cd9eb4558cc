#include "features/slice.h"

#include "features/tenancy/routes.h"

namespace guildhall {

Slice tenancy_slice() {
  return Slice("tenancy")
      .table({.name = "tenants", .other = "name owner_user_id admin_user_ids"})
      .table({.name = "tenant_settings", .other = "currency time_zone allowed_origins order_number_prefix"})
      .table({.name = "tenant_origins", .other = "origin"})
      .table({.name = "guild_bindings", .other = "guild_id"})
      .table({.name = "chat_binding_codes", .other = "code_hash verifier user_id"})
      .routes(guild_routes);
}

}  // namespace guildhall
