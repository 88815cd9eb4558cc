#pragma once

#include "features/identity/chat_provider.h"
#include "features/identity/user.h"
#include "outbox/events.h"

namespace guildhall {

struct ChatUserMaking {
  std::string reserved_username;    // of the default admin; no chat user gets it
  TenantId home_tenant;             // the tenant in which PlatformAdmin is granted
  bool first_becomes_admin = true;  // true for sign-ins, false for members whom the bot registers
  std::optional<UserId> id{};       // the id of a new user, if the caller has used it already
  std::string_view identity_provider = chat_provider;
};

// Returns the tenant's user with that chat identity, unchanged, or creates one. The first user who signs in to a tenant
// without any grant becomes its TenantAdmin. Concurrent calls create one user and one admin.
User find_or_create_chat_user(const ActionContext& context, const ChatProfile& profile, const ChatUserMaking& making);

}  // namespace guildhall
