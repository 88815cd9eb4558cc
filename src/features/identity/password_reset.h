#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "features/identity/rank.h"
#include "features/identity/user.h"
#include "storage/database.h"

// Links with which a user sets a new password. A user has at most one, and only a hash of its secret is stored. It ends
// when it is used, expires or is withdrawn, and with everything that ends the user's sessions, a new password included.
namespace guildhall {

constexpr std::chrono::hours password_reset_lasts{24};

struct PasswordReset {
  TenantId tenant_id;
  UserId user_id;
  std::int64_t user_epoch = 0;  // the user's session_epoch when the link was made
  UserId maker_id;
  TenantId maker_tenant_id;
  bool through_application = false;
  std::string secret_hash;
  Instant created_at;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(PasswordReset, (),
                      (tenant_id, user_id, user_epoch, maker_id, maker_tenant_id, through_application, secret_hash,
                       created_at, expires_at))

// Replaces the user's present link, if there is one.
void put_password_reset(Tx& tx, const PasswordReset& reset);

// Returns false if there is no such link. Of concurrent calls one returns true.
bool delete_password_reset(Tx& tx, const TenantId& tenant, const UserId& user);

std::string password_reset_text(const PasswordReset& reset, std::string_view secret);

// A link that can be used.
struct OpenPasswordReset {
  PasswordReset reset;
  User user;
  api::Caller maker;  // as the maker is at this moment
};

// Finds the link of this text and locks the user until the commit. Throws the same not_found if the text is wrong, if
// the link has ended, or if the maker does not have the rank any more to set the user's password.
OpenPasswordReset open_password_reset(Tx& tx, std::string_view text, const TenantId& home_tenant, Instant now);

// Whether the text belongs to a link that has not ended, without a check of rank.
bool is_password_reset(Tx& tx, std::string_view text, Instant now);

}  // namespace guildhall
