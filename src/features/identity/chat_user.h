#pragma once

#include "base/actor.h"
#include "features/identity/chat_provider.h"
#include "features/identity/user.h"
#include "storage/database.h"

namespace guildhall {

struct ChatUserMaking {
  std::string reserved_username;  // the default admin's, which no chat user gets
  Actor actor;
  TenantId home_tenant;             // where PlatformAdmin is granted
  bool first_becomes_admin = true;  // who signs in does; whom the bot meets does not
  std::optional<UserId> id{};       // of a new user, where something names it already
  std::string_view identity_provider = chat_provider;
};

// The tenant's user of that chat identity, as they are, or a new one. The first to sign in to a tenant in which nobody
// holds anything becomes its TenantAdmin. Two at once make one user and one admin.
User find_or_create_chat_user(Tx& tx, const TenantId& tenant, const ChatProfile& profile, const ChatUserMaking& making,
                              Instant now);

}  // namespace guildhall
