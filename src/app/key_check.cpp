#include "app/key_check.h"

#include "app/secret_file.h"
#include "base/instant.h"
#include "base/log.h"
#include "storage/columns.h"

namespace guildhall {
namespace {

constexpr std::string_view context = "key check";
constexpr std::string_view known_text = "guildhall";
const TenantId no_tenant;

const Sql insert_sql(
    "INSERT INTO key_checks (tenant_id, sealed, created_at) VALUES ($1, $2, $3) ON CONFLICT (tenant_id) DO NOTHING");
const Sql renew_sql("UPDATE key_checks SET sealed = $2 WHERE tenant_id = $1");
const Sql sealed_sql("SELECT sealed FROM key_checks WHERE tenant_id = $1");

std::optional<std::string> sealed_text(Tx& tx) {
  return tx.one(Select<std::string>{{&sealed_sql, params(no_tenant)}, read_first_text});
}

}  // namespace

KeyCheck check_master_key(Tx& tx, const SecretBox& secrets) {
  auto sealed = sealed_text(tx);
  if (!sealed) return KeyCheck::absent;
  switch (secrets.reseal(*sealed, context)) {
    case Resealing::current:
      return KeyCheck::right;
    case Resealing::resealed:
      return KeyCheck::former;
    case Resealing::unreadable:
      break;
  }
  return KeyCheck::wrong;
}

bool has_key_check(Tx& tx) {
  return sealed_text(tx).has_value();
}

void renew_key_check(Tx& tx, const SecretBox& secrets) {
  tx.run({&renew_sql, params(no_tenant, secrets.seal(known_text, context))});
}

std::vector<std::string> master_keys_of(const InstallationConfig& config) {
  if (!config.service_master_keys.empty() || !config.development) return config.service_master_keys;
  const auto generated = read_generated_secret(config.data_dir + "/master-key");
  return generated ? std::vector{*generated} : std::vector<std::string>{};
}

void ensure_key_check(Storage& storage, const SecretBox& secrets) {
  KeyCheck found = KeyCheck::absent;
  storage.write_now([&](Tx& tx) {
    tx.run({&insert_sql, params(no_tenant, secrets.seal(known_text, context), now())});
    found = check_master_key(tx, secrets);
  });
  if (found == KeyCheck::wrong) {
    log::error(
        "SERVICE_MASTER_KEY is not the key that the secrets in this database were sealed with: tenants' credentials "
        "cannot be used. Start with the former key.");
  } else if (found == KeyCheck::former) {
    log::warn("The secrets in this database are still sealed with a former SERVICE_MASTER_KEY: run `guildhall rekey`.");
  }
}

}  // namespace guildhall
