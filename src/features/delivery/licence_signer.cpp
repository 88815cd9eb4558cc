#include "features/delivery/licence_signer.h"

#include "base/encoding.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::size_t seed_bytes = 32;

const Sql public_key_sql("SELECT public_key FROM licence_signers WHERE tenant_id = $1");
const Sql seed_sql("SELECT seed FROM licence_signers WHERE tenant_id = $1");
const Sql insert_signer_sql(
    "INSERT INTO licence_signers (tenant_id, public_key, seed, created_at) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT (tenant_id) DO NOTHING");

std::string seed_context(const TenantId& tenant) {
  return "licence-signer/" + tenant.text();
}

}  // namespace

Select<std::string> licence_public_key(const TenantId& tenant) {
  return {{&public_key_sql, params(tenant)}, read_first_text};
}

std::optional<Ed25519Key> licence_signing_key(Tx& tx, const SecretBox& secrets, const TenantId& tenant, Instant now) {
  const Select<std::string> stored{{&seed_sql, params(tenant)}, read_first_text};
  auto sealed = tx.one(stored);
  if (!sealed) {
    const std::string seed = random_bytes(seed_bytes);
    tx.run({&insert_signer_sql, params(tenant, base64url(ed25519_from_seed(seed).public_key_bytes),
                                       secrets.seal(seed, seed_context(tenant)), now)});
    sealed = tx.one(stored);  // another transaction may have been first
  }
  const auto seed = sealed ? secrets.open(*sealed, seed_context(tenant)) : std::nullopt;
  return seed ? std::optional(ed25519_from_seed(*seed)) : std::nullopt;
}

std::string signed_licence(const Ed25519Key& key, const LicencePayload& payload) {
  const std::string text = base64url(to_json(payload));
  return fmt::format("{}.{}", text, base64url(sign_ed25519(key, text)));
}

}  // namespace guildhall
