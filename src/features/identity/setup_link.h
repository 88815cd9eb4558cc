#pragma once

#include <optional>
#include <string>

#include "features/identity/invitation.h"
#include "storage/storage.h"

// The first owner of an installation. An installation that nobody can administer makes a one-time link when it starts,
// and prints it. The link is an invitation that has no inviter; it becomes void as soon as the default tenant has any
// grant.
namespace guildhall {

constexpr std::chrono::hours setup_link_lasts{24};
constexpr std::size_t setup_links_max = 10;  // several nodes may start at once, each with a link of its own

struct SetupOptions {
  TenantId home_tenant;
  bool passwords = false;         // people can sign in with a password
  bool admin_configured = false;  // the default admin has a password, and is the owner
  std::string public_base_url;
};

// Whether nobody holds a grant in the tenant.
bool has_no_grants(Tx& tx, const TenantId& tenant);

// Whether the invitation is the link of the first owner.
bool is_setup_link(const Invitation& invitation);

// Makes a link for the first owner and returns its address. If the installation has an owner, or nobody can sign in
// with a password, it deletes earlier links and returns nothing. For the start of the server.
std::optional<std::string> make_setup_link(Storage& storage, const SetupOptions& options, Instant now);

}  // namespace guildhall
