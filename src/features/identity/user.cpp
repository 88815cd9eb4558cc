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
  patch.apply_to(user);
  const std::string& username = patch.record.username;
  if (patch.gives<&User::username>() && username != user.username) rename(user, username);
}

Failure username_taken() {
  return bad_request("USERNAME_TAKEN", "There is a user with this username already.");
}

}  // namespace guildhall
