// Rules for tenants, users, what they may do, and what they did.
#include "app/ops/transfer/import_rules.h"
#include "audit/audit.h"
#include "audit/audit_changes.h"
#include "base/password.h"
#include "features/identity/grant_actions.h"
#include "features/identity/permissions.h"
#include "features/identity/provider_config.h"
#include "features/identity/role.h"
#include "features/identity/second_factor.h"
#include "features/identity/user.h"
#include "features/tenancy/guild_binding.h"
#include "features/tenancy/tenant.h"

namespace guildhall {

// Rows that no slice reads as a record.
struct GrantRow {
  TenantId tenant_id;
  UserId user_id;
  std::string key;
  Instant created_at;
  TenantId user_tenant_id;
};
BOOST_DESCRIBE_STRUCT(GrantRow, (), (tenant_id, user_id, key, created_at, user_tenant_id))

struct IdentityRow {
  TenantId tenant_id;
  std::string provider;
  std::string provider_user_id;
  UserId user_id;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(IdentityRow, (), (tenant_id, provider, provider_user_id, user_id, created_at))

struct RecoveryCodeRow {
  TenantId tenant_id;
  UserId user_id;
  std::string code_hash;
};
BOOST_DESCRIBE_STRUCT(RecoveryCodeRow, (), (tenant_id, user_id, code_hash))

struct AuditRow {
  std::string id;
  TenantId tenant_id;
  Instant at;
  ActorKind actor_kind = ActorKind::SYSTEM;
  std::string actor_id;
  std::string request_id;
  std::string subject;
  std::string subject_id;
  std::string action;
  RawJson changes;
  std::optional<std::int64_t> version;
  std::optional<std::int64_t> sequence;
  std::optional<std::string> hash;
};
BOOST_DESCRIBE_STRUCT(AuditRow, (),
                      (id, tenant_id, at, actor_kind, actor_id, request_id, subject, subject_id, action, changes,
                       version, sequence, hash))

struct ChainRow {
  TenantId tenant_id;
  std::int64_t sequence = 0;
  std::string hash;
};
BOOST_DESCRIBE_STRUCT(ChainRow, (), (tenant_id, sequence, hash))

namespace {

constexpr std::size_t stored_changes_bytes_max = 2 * changes_bytes_max;  // entries of erasures and of older versions

// The first tenant of an installation has no owner, so the whole record is no valid input.
void adjust_tenant(Tenant& tenant, const Importing&, Problems& problems) {
  if (is_blank(tenant.name)) problems.push_back({"name", "is required"});
}

// It is not known here who knows an imported password, whatever the export says, so a promotion clears it. Search text
// and key of the name are filled afterwards.
void adjust_user(User& user, const Importing&, Problems& problems) {
  const auto& hash = user.password_hash.value;
  if (hash && !is_affordable_hash(*hash)) {
    problems.push_back({"password_hash", "is not an Argon2id hash, or costs more than those of this program"});
  }
  user.password_set_by.value.reset();
  user.username_key.value.reset();
  user.search_text.value.reset();
}

void adjust_grant(GrantRow& grant, const Importing& importing, Problems& problems) {
  if (!is_permission_key(grant.key)) problems.push_back({"key", "must be 1 to 64 characters of A-Z a-z 0-9 . _ -"});
  if (grant.key == platform_admin) {
    problems.push_back({"key", "must not be PlatformAdmin, which only the installation can grant"});
  }
  if (grant.user_tenant_id != importing.tenant) {
    problems.push_back({"user_tenant_id", "must not be another tenant, whose users are not part of the export"});
  }
}

// A person's direct messages belong to the shop that they have joined last. Import makes nobody join in the future;
// age_identities() compares with the other shops.
void adjust_identity(IdentityRow& identity, const Importing& importing, Problems& problems) {
  if (identity.provider != chat_provider && identity.provider != tenant_chat_provider) {
    problems.push_back({"provider", "must be chat or tenant-chat: other identities belong to the installation"});
  }
  identity.created_at = std::min(identity.created_at, importing.now);
}

void adjust_provider(ProviderRow& provider, const Importing&, Problems& problems) {
  if (provider.provider != chat_provider) problems.push_back({"provider", "must be chat"});
}

void adjust_binding(GuildBinding& binding, const Importing& importing, Problems& problems) {
  const auto& confirmed = importing.options.chat_servers;
  if (std::ranges::find(confirmed, binding.guild_id) == confirmed.end()) {
    problems.push_back({"guild_id", "is bound only if you confirm it: add --chat-server and this id"});
  }
}

void adjust_role(CustomRole& role, const Importing& importing, Problems&) {
  role_from(from_json<NewCustomRole>(to_json(role)), importing.tenant, importing.now);
}

void adjust_entry(AuditRow& entry, const Importing&, Problems& problems) {
  if (entry.sequence.has_value() != entry.hash.has_value()) problems.push_back({"hash", "belongs to a sequence"});
  if (entry.changes.text.size() > stored_changes_bytes_max) problems.push_back({"changes", "is too long"});
  decode_stored(entry.changes.text, [&](JsonValue json, Decoder&) {
    if (!json.is_object()) problems.push_back({"changes", "must be an object"});
  });
}

}  // namespace

std::vector<ImportRule> people_rules() {
  ImportRule roles = rule<CustomRole, NewCustomRole>("roles", adjust_role);
  roles.rows_max = roles_max;
  return {
      rule<Tenant>("tenants", adjust_tenant),
      rule<User, NewUser>("users", adjust_user),
      rule<GrantRow>("grants", adjust_grant),
      rule<IdentityRow>("identities", adjust_identity),
      rule<ProviderRow, ProviderInput>("auth_providers", adjust_provider),
      std::move(roles),
      derived("role_keys"),
      rule<SecondFactor>("second_factors"),
      rule<RecoveryCodeRow>("recovery_codes"),
      rule<GuildBinding>("guild_bindings", adjust_binding),
      rule<AuditRow>("audit_entries", adjust_entry),
      rule<ChainRow>("audit_chains"),
  };
}

}  // namespace guildhall
