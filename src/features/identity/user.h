#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/field_types.h"
#include "base/inputs.h"
#include "base/url.h"

// A user, and the rules of a user's data. Pure: no clock, no database.
namespace guildhall {

constexpr std::size_t username_characters_max = 200;

struct User {
  UserId id;
  TenantId tenant_id;
  std::string username;
  std::string display_name;
  std::optional<std::string> email;
  std::optional<std::string> avatar_url;
  std::optional<std::string> chat_id;
  std::vector<std::string> roles;  // descriptive only, as is_admin is; grants decide
  bool is_admin = false;
  std::optional<std::string> customer_id;
  std::optional<std::string> primary_customer_id;
  Hidden<std::optional<std::string>> password_hash;
  Hidden<std::optional<std::string>> password_set_by;  // the id of the user who chose it; null: unknown
  Hidden<std::int64_t> session_epoch;                  // sessions with a lower number have ended
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::optional<std::string>> username_key;   // the case-folded username; see user_store.h
  Hidden<std::optional<std::string>> search_text{};  // names, email and chat id, for searches
};
BOOST_DESCRIBE_STRUCT(User, (),
                      (id, tenant_id, username, display_name, email, avatar_url, chat_id, roles, is_admin, customer_id,
                       primary_customer_id, password_hash, password_set_by, session_epoch, created_at, updated_at,
                       version, username_key, search_text))

void rename(User& user, std::string username);

struct NewUser {
  using Record = User;
  Text<username_characters_max> username;
  Text<> display_name;
  std::optional<Email> email;
  std::optional<Url> avatar_url;
  std::optional<Key> chat_id;
  Default<KeyList> roles{};
  Default<bool> is_admin{false};
  std::optional<Reference> customer_id;
  std::optional<Reference> primary_customer_id;
};
BOOST_DESCRIBE_STRUCT(NewUser, (),
                      (username, display_name, email, avatar_url, chat_id, roles, is_admin, customer_id,
                       primary_customer_id))

struct UserPatch
    : Patch<Inputs<ByCode<&User::username, Text<username_characters_max>>, Required<&User::display_name, Text<>>,
                   Optional<&User::email, Email>, Optional<&User::avatar_url, Url>, Optional<&User::chat_id, Key>,
                   Defaulted<&User::roles, KeyList>, Defaulted<&User::is_admin>,
                   Optional<&User::customer_id, Reference>, Optional<&User::primary_customer_id, Reference>>> {};

std::string search_text_of(const User& user);

User user_from(const NewUser& input, const TenantId& tenant, Instant now);
void apply(const UserPatch& patch, User& user);

Failure username_taken();

}  // namespace guildhall
