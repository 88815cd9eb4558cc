#include "features/identity/user.h"

#include "base/text.h"

namespace guildhall {

std::string search_text_of(const User& user) {
  return search_text({user.username, user.chat_id.value_or(""), user.email.value_or(""), user.display_name});
}

User user_from(const NewUser& input, const TenantId& tenant, Instant now) {
  return {.id = UserId::make(now),
          .tenant_id = tenant,
          .username = input.username,
          .display_name = input.display_name,
          .email = input.email,
          .avatar_url = input.avatar_url,
          .chat_id = input.chat_id,
          .roles = input.roles.value,
          .is_admin = input.is_admin,
          .customer_id = input.customer_id,
          .primary_customer_id = input.primary_customer_id,
          .password_hash = {},
          .password_set_by = {},
          .session_epoch = {0},
          .created_at = now,
          .updated_at = now,
          .version = {1},
          .username_key = {folded(input.username.value)}};
}

void rename(User& user, std::string username) {
  user.username_key.value = folded(username);
  user.username = std::move(username);
}

void apply(const UserPatch& patch, User& user) {
  if (patch.username && (*patch.username).value != user.username) rename(user, *patch.username);
  patch.display_name.apply_to(user.display_name);
  patch.email.apply_to(user.email);
  patch.avatar_url.apply_to(user.avatar_url);
  patch.chat_id.apply_to(user.chat_id);
  if (patch.roles) user.roles = (*patch.roles).value_or(KeyList());
  if (patch.is_admin) user.is_admin = (*patch.is_admin).value_or(false);
  patch.customer_id.apply_to(user.customer_id);
  patch.primary_customer_id.apply_to(user.primary_customer_id);
}

Failure username_taken() {
  return bad_request("USERNAME_TAKEN", "There is a user with this username already.");
}

}  // namespace guildhall
