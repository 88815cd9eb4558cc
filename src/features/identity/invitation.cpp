#include "features/identity/invitation.h"

#include "features/identity/permissions.h"
#include "features/identity/role.h"
#include "features/identity/secret_text.h"
#include "features/identity/setup_link.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::string_view invitation_prefix = "gi_";
const std::string select_invitation = "SELECT " + columns<Invitation>() + " FROM invitations WHERE tenant_id = $1";

}  // namespace

static const Sql invitation_by_id_sql(select_invitation + " AND id = $2");

Select<Invitation> invitation_by_id(const TenantId& tenant, const InvitationId& id) {
  return {{&invitation_by_id_sql, params(tenant, id)}, read_row<Invitation>};
}

static const Sql invitations_after_sql(select_invitation +
                                       " AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4");

Select<Invitation> invitations_after(const TenantId& tenant, const Position& position, std::int64_t limit) {
  return {{&invitations_after_sql, params(tenant, position.created_at, position.id, limit)}, read_row<Invitation>};
}

static const Sql insert_invitation_sql("INSERT INTO invitations (" + columns<Invitation>() + ") VALUES (" +
                                       placeholders<Invitation>() + ")");

void insert_invitation(Tx& tx, const Invitation& invitation) {
  tx.later({&insert_invitation_sql, values_of(invitation)});
}

static const Sql delete_invitation_sql("DELETE FROM invitations WHERE tenant_id = $1 AND id = $2");

bool delete_invitation(Tx& tx, const Invitation& invitation) {
  return tx.run({&delete_invitation_sql, params(invitation.tenant_id.value, invitation.id)}) == 1;
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
