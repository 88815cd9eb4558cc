#include "features/identity/setup_link.h"

#include "features/identity/permissions.h"
#include "features/identity/secret_text.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

// No user has this id: users' ids are UUIDs. An invitation of a user who has it after all would be void, because that
// user holds a grant.
constexpr std::string_view no_inviter = "setup";

const Sql any_grant_sql("SELECT 1 FROM grants WHERE tenant_id = $1 LIMIT 1");

const Sql delete_links_sql("DELETE FROM invitations WHERE tenant_id = $1 AND user_id = $2");

void delete_setup_links(Tx& tx, const TenantId& tenant) {
  tx.run({&delete_links_sql, params(tenant, std::string(no_inviter))});
}

std::size_t count_setup_links(Tx& tx, const TenantId& tenant) {
  std::size_t found = 0;
  for (const Invitation& each : tx.all(invitations_after(tenant, {}, invitations_max))) found += is_setup_link(each);
  return found;
}

}  // namespace

bool has_no_grants(Tx& tx, const TenantId& tenant) {
  bool found = false;
  tx.run({&any_grant_sql, params(tenant)}, [&](const Row&) { found = true; });
  return !found;
}

bool is_setup_link(const Invitation& invitation) {
  return invitation.user_id.text() == no_inviter;
}

std::optional<std::string> make_setup_link(Storage& storage, const SetupOptions& options, Instant now) {
  const std::string secret = make_secret();
  const Invitation link{.id = InvitationId::make(now),
                        .tenant_id = {options.home_tenant},
                        .name = {},
                        .email = {},
                        .keys = {std::string(platform_admin), std::string(tenant_admin)},
                        .user_id = UserId(std::string(no_inviter)),
                        .user_tenant_id = {options.home_tenant},
                        .through_application = {false},
                        .secret_hash = {hash_of_secret(secret)},
                        .created_at = now,
                        .expires_at = now + setup_link_lasts};
  bool needed = false;
  storage.write_now([&](Tx& tx) {
    needed = options.passwords && !options.admin_configured && has_no_grants(tx, options.home_tenant);
    delete_expired_invitations(tx, options.home_tenant, now);
    if (!needed || count_setup_links(tx, options.home_tenant) >= setup_links_max) {
      delete_setup_links(tx, options.home_tenant);
    }
    if (needed) insert_invitation(tx, link);
  });
  if (!needed) return std::nullopt;
  return fmt::format("{}/console/setup#{}", options.public_base_url, invitation_text(link, secret));
}

}  // namespace guildhall
