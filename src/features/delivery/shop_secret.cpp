#include "features/delivery/shop_secret.h"

#include "base/ascii.h"
#include "base/encoding.h"
#include "base/text.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::size_t seed_bytes = 32;

const Sql public_key_sql("SELECT public_key FROM shop_secrets WHERE tenant_id = $1");
const Sql seed_sql("SELECT seed FROM shop_secrets WHERE tenant_id = $1");
const Sql insert_secret_sql(
    "INSERT INTO shop_secrets (tenant_id, public_key, seed, created_at) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT (tenant_id) DO NOTHING");

std::string seed_context(const TenantId& tenant) {
  return "shop-secret/" + tenant.text();
}

// The seed itself signs, so another key that follows from it hashes.
std::string hash_key_of(const std::string& seed) {
  const Sha256 key = HmacSha256(seed).sign("hashes of delivery keys");
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

}  // namespace

ShopSecret::ShopSecret(const std::string& seed) : signer_(ed25519_from_seed(seed)), hashes_(hash_key_of(seed)) {}

std::string ShopSecret::hash_of(std::string_view key) const {
  return hex(hashes_.sign(folded(trim(key))));
}

std::string ShopSecret::signed_licence(const LicencePayload& payload) const {
  const std::string text = base64url(to_json(payload));
  return fmt::format("{}.{}", text, base64url(sign_ed25519(signer_, text)));
}

Select<std::string> licence_public_key(const TenantId& tenant) {
  return {{&public_key_sql, params(tenant)}, read_first_text};
}

Select<std::string> sealed_shop_secret(const TenantId& tenant) {
  return {{&seed_sql, params(tenant)}, read_first_text};
}

std::unique_ptr<const ShopSecret> opened_shop_secret(const SecretBox& secrets, const TenantId& tenant,
                                                     const std::string& sealed) {
  const auto seed = secrets.open(sealed, seed_context(tenant));
  return seed ? std::make_unique<const ShopSecret>(*seed) : nullptr;
}

std::unique_ptr<const ShopSecret> require_shop_secret(Tx& tx, const SecretBox& secrets, const TenantId& tenant,
                                                      Instant now) {
  auto sealed = tx.one(sealed_shop_secret(tenant));
  if (!sealed) {
    const std::string seed = random_bytes(seed_bytes);
    tx.run({&insert_secret_sql, params(tenant, base64url(ed25519_from_seed(seed).public_key_bytes),
                                       secrets.seal(seed, seed_context(tenant)), now)});
    sealed = tx.one(sealed_shop_secret(tenant));  // another transaction may have been first
  }
  return sealed ? opened_shop_secret(secrets, tenant, *sealed) : nullptr;
}

}  // namespace guildhall
