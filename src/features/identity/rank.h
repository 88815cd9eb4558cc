#pragma once

#include "api/call.h"
#include "features/identity/user.h"
#include "outbox/events.h"

// Rank: the rules for who may change whom. Every route that changes a user's record, grants, password or sessions
// checks them, inside its transaction.
namespace guildhall {

// The data of a user that is to be changed.
enum class RankFor {
  user,    // the record, the password or the sessions, with which one could sign in as the user
  grants,  // the grants in the caller's tenant
};

// Throws forbidden if the user holds a key that the caller does not hold in the same tenant. Users may change
// themselves, except in a session that came through a tenant's own chat application. For the grants alone, only the
// caller's tenant counts, and custom keys do not count against a TenantAdmin, who may give them.
void require_rank(Tx& tx, const api::Caller& caller, const TenantId& user_tenant, const UserId& user, RankFor what);

// The same, and locks the user until the commit, so that nobody promotes the user meanwhile. Call it just before the
// change is written.
void require_lasting_rank(Tx& tx, const api::Caller& caller, const TenantId& user_tenant, const UserId& user,
                          RankFor what);

// Keys that a user has just received in the context's tenant.
struct Promotion {
  const UserId& user;
  const std::vector<std::string>& keys;
  const TenantId& home_tenant;
};

// The person who set the user's password knows it. If that person does not hold the new keys, this clears the password
// and ends the user's sessions; the caller must recheck the user's sessions after the commit.
void clear_password_of_lower_rank(const ActionContext& context, const Promotion& promotion);

// A user who has made a one-time link. When the link is used, the user must still have the rank that the link needs.
struct LinkMaker {
  UserId user;
  TenantId user_tenant;
  bool through_application;  // the link was made in a session that came through a tenant's own chat application
};

// The caller that the maker of a link would be in a session of the tenant at this moment. Nothing if the user does not
// exist any more.
std::optional<api::Caller> present_caller(Tx& tx, const LinkMaker& maker, const TenantId& tenant,
                                          const TenantId& home_tenant);

// The id to record for the person who knows the password that the caller sets. Nothing if it is unknown.
std::optional<std::string> password_setter(const api::Caller& caller, const User& user);

}  // namespace guildhall
