#pragma once

#include <string>
#include <string_view>

#include "base/actor.h"
#include "base/declared.h"
#include "storage/database.h"

// One-time codes with which somebody who manages a chat server binds it to the tenant that has made the code. Only a
// hash of a code is stored.
namespace guildhall {

constexpr std::chrono::minutes binding_code_lasts{30};
constexpr std::int64_t binding_codes_max = 20;  // of one tenant; a further one replaces the oldest

struct BindingCode {
  TenantId tenant_id;
  std::string code_hash;
  std::string verifier;  // the PKCE code verifier for the platform's page that adds the bot
  UserId user_id;        // the user who made it
  Instant created_at;
  Instant expires_at;
};
BOOST_DESCRIBE_STRUCT(BindingCode, (), (tenant_id, code_hash, verifier, user_id, created_at, expires_at))

// A new code as people see it: XXXX-XXXX-XXXX-XXXX, of letters and digits.
std::string make_binding_code();

// Whether the text has the form of a code. Case, spaces and hyphens do not matter.
bool is_binding_code(std::string_view text);

// The letters and digits of a code alone, in upper case.
std::string plain_binding_code(std::string_view text);

BindingCode binding_code_from(std::string_view code, const TenantId& tenant, const UserId& user, Instant now);

// Stores the code and deletes those of the tenant that have expired or are too many.
void insert_binding_code(Tx& tx, const BindingCode& code);

// Finds nothing if the code is wrong, was used or has expired, or if its tenant was deleted.
Select<BindingCode> binding_code(std::string_view code, Instant now);

// Somebody who loses a permission must not bind a chat server any more with a code that was made before.
void delete_binding_codes_of(Tx& tx, const TenantId& tenant, const UserId& user);

enum class BindingOutcome { connected, already, taken, expired };
BOOST_DESCRIBE_ENUM(BindingOutcome, connected, already, taken, expired)

// Deletes the code. Returns false if it was used before: of concurrent uses one succeeds.
bool use_binding_code(Tx& tx, const BindingCode& code);

// Binds the chat server to the tenant of the code, and uses the code up. A server that is bound already stays where it
// is, and the code can still be used. The caller has made sure that the person manages the chat server.
BindingOutcome bind_with_code(Tx& tx, const BindingCode& code, const std::string& guild_id, const Actor& actor,
                              Instant now);

Failure binding_code_invalid();

}  // namespace guildhall
