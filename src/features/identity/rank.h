#pragma once

#include "api/call.h"
#include "base/actor.h"
#include "features/identity/user.h"
#include "storage/database.h"

// Rank: who may change whom. Every route that changes a user's record, grants, password or sessions asks here, inside
// its transaction.
namespace guildhall {

// What is to be changed of a user.
enum class RankFor {
  user,    // the record, the password or the sessions: whoever could sign in as the user would have all of its grants
  grants,  // the grants in the caller's tenant
};

// Throws forbidden if the user holds a key that the caller does not hold in the same tenant. Users may change
// themselves, except in a session that came through a tenant's own chat application. For the grants alone, only the
// caller's tenant counts, and custom keys do not count against a TenantAdmin, who may give them.
void require_rank(Tx& tx, const api::Caller& caller, const TenantId& user_tenant, const UserId& user, RankFor what);

// The same, with the user locked until the commit, so that the user is not promoted meanwhile. For just before a change
// is written.
void require_lasting_rank(Tx& tx, const api::Caller& caller, const TenantId& user_tenant, const UserId& user,
                          RankFor what);

// Keys that a user has just been given.
struct Promotion {
  const TenantId& tenant;
  const UserId& user;
  const std::vector<std::string>& keys;
  const TenantId& home_tenant;
  const Actor& actor;
};

// Whoever set the user's password knows it. If they do not hold the new keys themselves, the password is cleared and
// the user's sessions end, for which the caller rechecks the user's sessions after the commit.
void clear_password_of_lower_rank(Tx& tx, const Promotion& promotion, Instant now);

// Who is to be recorded as the one who knows the password that the caller sets; nothing: unknown.
std::optional<std::string> password_setter(const api::Caller& caller, const User& user);

}  // namespace guildhall
