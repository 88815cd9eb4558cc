#include "features/tenancy/binding_code.h"

#include <algorithm>

#include "audit/audit.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "base/totp.h"
#include "features/tenancy/guild_binding.h"
#include "storage/record_table.h"

namespace guildhall {
namespace {

constexpr std::size_t code_bytes = 10, code_characters = 16, group_characters = 4;

std::string hash_of_code(std::string_view code) {
  return hex(sha256("binding-code\n" + plain_binding_code(code)));
}

}  // namespace

std::string make_binding_code() {
  const std::string plain = base32(random_bytes(code_bytes));
  std::string code;
  for (std::size_t i = 0; i < code_characters; i += group_characters) {
    code += (code.empty() ? "" : "-") + plain.substr(i, group_characters);
  }
  return code;
}

std::string plain_binding_code(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '-' || c == ' ') continue;
    plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return plain;
}

bool is_binding_code(std::string_view text) {
  const std::string plain = plain_binding_code(text);
  return plain.size() == code_characters &&
         std::ranges::all_of(plain, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '2' && c <= '7'); });
}

BindingCode binding_code_from(std::string_view code, const TenantId& tenant, const UserId& user, Instant now) {
  return {.tenant_id = tenant,
          .code_hash = hash_of_code(code),
          .verifier = base64url(random_bytes(32)),
          .user_id = user,
          .created_at = now,
          .expires_at = now + binding_code_lasts};
}

static const Sql delete_expired_codes_sql("DELETE FROM chat_binding_codes WHERE tenant_id = $1 AND expires_at <= $2");
static const Sql delete_oldest_codes_sql(
    "DELETE FROM chat_binding_codes WHERE tenant_id = $1 AND code_hash IN (SELECT code_hash FROM chat_binding_codes"
    " WHERE tenant_id = $1 ORDER BY created_at DESC, code_hash LIMIT 1000 OFFSET $2)");
static const RecordTable<BindingCode> code_table("chat_binding_codes");

void insert_binding_code(Tx& tx, const BindingCode& code) {
  tx.run({&delete_expired_codes_sql, params(code.tenant_id, code.created_at)});
  tx.run({&delete_oldest_codes_sql, params(code.tenant_id, binding_codes_max - 1)});
  code_table.insert(tx, code);
}

static const Sql code_by_hash_sql(
    code_table.select +
    " WHERE code_hash = $1 AND expires_at > $2 AND EXISTS (SELECT 1"
    " FROM tenants WHERE tenant_id = chat_binding_codes.tenant_id AND deleted_at IS NULL)");

Select<BindingCode> binding_code(std::string_view code, Instant now) {
  return {{&code_by_hash_sql, params(hash_of_code(code), now)}, read_row<BindingCode>};
}

static const Sql delete_codes_of_sql("DELETE FROM chat_binding_codes WHERE tenant_id = $1 AND user_id = $2");

void delete_binding_codes_of(Tx& tx, const TenantId& tenant, const UserId& user) {
  tx.run({&delete_codes_of_sql, params(tenant, user)});
}

bool use_binding_code(Tx& tx, const BindingCode& code) {
  return code_table.erase(tx, code);
}

BindingOutcome bind_with_code(Tx& tx, const BindingCode& code, const std::string& guild_id, const Actor& actor,
                              Instant now) {
  if (const auto binding = tx.one(binding_of_guild(guild_id))) {
    return binding->tenant_id == code.tenant_id ? BindingOutcome::already : BindingOutcome::taken;
  }
  if (!use_binding_code(tx, code)) return BindingOutcome::expired;
  if (!bind_guild(tx, code.tenant_id, guild_id, now)) throw WriteRace();
  audit(tx, code.tenant_id, actor, {"guild", guild_id}, "bound", "{}", now);
  return BindingOutcome::connected;
}

Failure binding_code_invalid() {
  return bad_request("BINDING_CODE_INVALID", "This code was used or has expired. Make a new one in the console.");
}

}  // namespace guildhall
