#pragma once

#include <functional>
#include <string>

#include "base/worker_pool.h"
#include "features/email/email_config.h"
#include "features/identity/chat_sign_in.h"
#include "features/identity/local_sign_in.h"
#include "features/identity/sessions.h"

namespace guildhall {

// The dependencies of the identity routes. One for each loop; it outlives the routes.
struct Auth {
  Database& db;
  const Events& events;
  WorkerPool& workers;
  Sessions sessions;
  LocalSignIn local;
  bool local_enabled;
  std::int64_t sign_ins_per_minute;  // limit of sign-ins with a password from one address
  TenantId home_tenant;              // the tenant in which PlatformAdmin is granted
  std::string admin_username;        // of the default admin; reserved
  bool admin_configured;             // the default admin has a password, and so can sign in
  ChatSignIn chat;
  const ChatOAuth& chat_environment;  // used for tenants without their own configuration
  const SecretBox* secrets;           // null: tenants' secrets cannot be stored
  Cache& cache;
  const EmailConfig& email;
  std::string public_base_url;
};

}  // namespace guildhall
