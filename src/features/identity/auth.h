#pragma once

#include <functional>
#include <string>

#include "base/worker_pool.h"
#include "features/identity/chat_sign_in.h"
#include "features/identity/local_sign_in.h"
#include "features/identity/sessions.h"

namespace guildhall {

// What the routes of identity need; one per loop, and it outlives the routes.
struct Auth {
  Database& db;
  WorkerPool& workers;
  Sessions sessions;
  LocalSignIn local;
  bool local_enabled;
  std::int64_t sign_ins_per_minute;  // with a password, from one address
  TenantId home_tenant;              // where PlatformAdmin is granted
  std::string admin_username;        // the default admin's, which nobody else may have
  ChatSignIn chat;
  const ChatOAuth& chat_environment;  // for tenants without a configuration of their own
  const SecretBox* secrets;           // null: tenants' secrets cannot be stored
};

}  // namespace guildhall
