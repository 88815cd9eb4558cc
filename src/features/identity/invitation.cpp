#include "features/identity/invitation.h"

#include "features/identity/permissions.h"
#include "features/identity/role.h"
#include "features/identity/secret_text.h"
#include "features/identity/setup_link.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

constexpr std::string_view invitation_prefix = "gi_";
const RecordTable<Invitation> invitation_table("invitations");

}  // namespace

Select<Invitation> invitation_by_id(const TenantId& tenant, const InvitationId& id) {
  return invitation_table.by_id(tenant, id);
}

static const Sql invitations_after_sql(
    invitation_table.select +
    " WHERE tenant_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4");

Select<Invitation> invitations_after(const TenantId& tenant, const Position& position, std::int64_t limit) {
  return {{&invitations_after_sql, params(tenant, position.created_at, position.id, limit)}, read_row<Invitation>};
}

void insert_invitation(Tx& tx, const Invitation& invitation) {
  tx.later(invitation_table.insertion(invitation));
}

bool delete_invitation(Tx& tx, const Invitation& invitation) {
  return invitation_table.erase(tx, invitation);
}

static const Sql delete_expired_invitations_sql("DELETE FROM invitations WHERE tenant_id = $1 AND expires_at <= $2");

void delete_expired_invitations(Tx& tx, const TenantId& tenant, Instant now) {
  tx.run({&delete_expired_invitations_sql, params(tenant, now)});
}

std::string invitation_text(const Invitation& invitation, std::string_view secret) {
  return secret_text(invitation_prefix, invitation.tenant_id, invitation.id.text(), secret);
}

std::vector<std::string> keys_beyond(Tx& tx, const api::Caller& inviter, const std::vector<std::string>& keys) {
  std::vector<std::string> beyond = with_keys_of_roles(tx, inviter.tenant, keys);
  std::erase_if(beyond, [&](const std::string& key) { return holds(inviter.permissions, key); });
  return beyond;
}

OpenInvitation open_invitation(Tx& tx, std::string_view text, const TenantId& home_tenant, Instant now) {
  const auto parts = parse_secret_text(invitation_prefix, text);
  if (!parts) throw not_found("Invitation");
  auto invitation = tx.one(invitation_by_id(parts->tenant, InvitationId(parts->id)));
  if (!invitation || !is_secret_of(invitation->secret_hash.value, parts->secret) || invitation->expires_at <= now) {
    throw not_found("Invitation");
  }
  auto tenant = tx.one(tenant_by_id(parts->tenant));
  if (is_setup_link(*invitation)) {
    if (!tenant || parts->tenant != home_tenant || !has_no_grants(tx, home_tenant)) throw not_found("Invitation");
    return {std::move(*invitation), std::move(*tenant), std::nullopt};
  }
  auto inviter = present_caller(tx, {invitation->user_id, invitation->user_tenant_id, invitation->through_application},
                                parts->tenant, home_tenant);
  if (!tenant || !inviter || !holds(inviter->permissions, "admin.access") ||
      !keys_beyond(tx, *inviter, invitation->keys).empty()) {
    throw not_found("Invitation");
  }
  return {std::move(*invitation), std::move(*tenant), std::move(inviter)};
}

}  // namespace guildhall
