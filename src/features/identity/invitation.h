#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "features/identity/rank.h"
#include "features/tenancy/tenant.h"
#include "storage/database.h"
#include "storage/position.h"

// Invitations: one-time links with which a person becomes a user of the tenant, with a password of their own and the
// offered grants. Only a hash of the link's secret is stored. The row is deleted when the invitation is accepted or
// revoked.
namespace guildhall {

using InvitationId = Id<struct InvitationTag>;

constexpr std::int64_t invitations_max = 200;  // in one tenant
constexpr std::chrono::hours invitation_lasts{7 * 24};
constexpr std::chrono::hours invitation_lasts_max{30 * 24};

struct Invitation {
  InvitationId id;
  Hidden<TenantId> tenant_id;
  std::optional<std::string> name;
  std::optional<std::string> email;
  std::vector<std::string> keys;  // the grants that are offered, sorted
  UserId user_id;                 // the user who invites
  Hidden<TenantId> user_tenant_id;
  Hidden<bool> through_application;
  Hidden<std::string> secret_hash;
  Instant created_at;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(Invitation, (),
                      (id, tenant_id, name, email, keys, user_id, user_tenant_id, through_application, secret_hash,
                       created_at, expires_at))

Select<Invitation> invitation_by_id(const TenantId& tenant, const InvitationId& id);
Select<Invitation> invitations_after(const TenantId& tenant, const Position& position, std::int64_t limit);
void insert_invitation(Tx& tx, const Invitation& invitation);

// Returns false if the invitation does not exist any more. Of concurrent calls one returns true.
bool delete_invitation(Tx& tx, const Invitation& invitation);

void delete_expired_invitations(Tx& tx, const TenantId& tenant, Instant now);

// The text of the invitation's link.
std::string invitation_text(const Invitation& invitation, std::string_view secret);

// Returns the keys that the caller may not offer. An invitation could be accepted by the person who made it, so a
// caller can offer only keys that they hold, custom keys included. Of a role, each of its keys counts.
std::vector<std::string> keys_beyond(Tx& tx, const api::Caller& inviter, const std::vector<std::string>& keys);

// An invitation that can be accepted.
struct OpenInvitation {
  Invitation invitation;
  Tenant tenant;
  std::optional<api::Caller> inviter;  // as the inviter is at this moment; nothing: the link of the first owner
};

// Finds the invitation of a link's text. Throws the same not_found if the text is wrong, or if the invitation has
// expired, was accepted or revoked, or offers keys that the inviter does not hold any more, or if it is the link of the
// first owner and there is an owner.
OpenInvitation open_invitation(Tx& tx, std::string_view text, const TenantId& home_tenant, Instant now);

}  // namespace guildhall
