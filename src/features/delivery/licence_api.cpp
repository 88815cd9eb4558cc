#include "api/resource.h"
#include "features/delivery/activation_store.h"
#include "features/delivery/delivery_store.h"
#include "features/delivery/routes.h"
#include "features/delivery/shop_secret.h"
#include "features/entitlements/entitlement_store.h"
#include "features/tenancy/tenant.h"

// For the programs that a shop sells: whether a key is a buyer's, and on which computers it is used.
namespace guildhall {
namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

enum class LicenceStatus { ACTIVE, UNKNOWN, REVOKED, EXPIRED, NOT_ACTIVATED };
BOOST_DESCRIBE_ENUM(LicenceStatus, ACTIVE, UNKNOWN, REVOKED, EXPIRED, NOT_ACTIVATED)

struct LicenceCheck {
  TenantId tenant_id;
  Text<key_length_max> key;
  std::optional<Text<200>> fingerprint;  // if it is given, the computer must be activated
};
BOOST_DESCRIBE_STRUCT(LicenceCheck, (), (tenant_id, key, fingerprint))

struct LicenceActivation {
  TenantId tenant_id;
  Text<key_length_max> key;
  Text<200> fingerprint;
  Text<200> name;
};
BOOST_DESCRIBE_STRUCT(LicenceActivation, (), (tenant_id, key, fingerprint, name))

struct LicenceDeactivation {
  TenantId tenant_id;
  Text<key_length_max> key;
  Text<200> fingerprint;
};
BOOST_DESCRIBE_STRUCT(LicenceDeactivation, (), (tenant_id, key, fingerprint))

struct Licence {
  bool valid = false;
  LicenceStatus status = LicenceStatus::UNKNOWN;
  std::optional<ProductId> product_id;
  std::optional<Instant> expires_at;  // null: it was bought for good
  std::int64_t activations = 0;
  std::optional<std::int64_t> activations_max;
};
BOOST_DESCRIBE_STRUCT(Licence, (), (valid, status, product_id, expires_at, activations, activations_max))

struct LicencePublicKey {
  std::string public_key;
};
BOOST_DESCRIBE_STRUCT(LicencePublicKey, (), (public_key))

// The records behind a key.
struct LicenceRecords {
  std::optional<DeliveryKey> key;
  std::optional<Deliverable> deliverable;
  std::optional<Entitlement> entitlement;
  std::int64_t activations = 0;
};

// What is known of a key. A key that was never sold is reported as unknown.
Licence licence_from(const LicenceRecords& records, Instant now) {
  Licence licence;
  if (!records.key || !records.key->entitlement_id) return licence;
  licence.activations = records.activations;
  if (records.deliverable) licence.activations_max = records.deliverable->activations_max;
  if (records.entitlement) {
    licence.product_id = records.entitlement->product_id;
    licence.expires_at = records.entitlement->expires_at;
  }
  const bool is_revoked = records.key->status == DeliveryKeyStatus::REVOKED || !records.entitlement ||
                          records.entitlement->status == EntitlementStatus::REVOKED;
  const bool is_over = licence.expires_at && *licence.expires_at <= now;
  licence.status = is_revoked ? LicenceStatus::REVOKED : is_over ? LicenceStatus::EXPIRED : LicenceStatus::ACTIVE;
  licence.valid = licence.status == LicenceStatus::ACTIVE;
  return licence;
}

bool is_open(const std::optional<Tenant>& shop) {
  return shop && !shop->deleted_at.value;
}

// The hash by which a key is stored; nothing if the shop has no keys. Throws unavailable without its master key.
std::optional<std::string> hash_of(const std::optional<SecretBox>& secrets, const TenantId& tenant,
                                   const std::optional<std::string>& sealed, std::string_view key) {
  if (!sealed) return std::nullopt;
  const auto shop = opened_shop_secret(required_secrets(secrets), tenant, *sealed);
  if (!shop) throw unavailable("SERVICE_MASTER_KEY does not open the secret of the shop.");
  return shop->hash_of(key);
}

LicenceRecords read_licence(Tx& tx, const std::optional<SecretBox>& secrets, const TenantId& tenant,
                            std::string_view text) {
  LicenceRecords records;
  const auto hash = hash_of(secrets, tenant, tx.one(sealed_shop_secret(tenant)), text);
  if (!hash || !is_open(tx.one(tenant_by_id(tenant)))) return records;
  records.key = tx.one(delivery_key_by_hash(tenant, *hash));
  if (!records.key || !records.key->entitlement_id) return records;
  records.deliverable = tx.one(deliverable_by_id(tenant, records.key->deliverable_id));
  records.entitlement = tx.one(entitlement_by_id(tenant, *records.key->entitlement_id));
  records.activations = *tx.one(number_of_activations(tenant, records.key->id));
  return records;
}

// Reads one by one, without a transaction: programs ask this often.
Task<Reply> validate(Call& call, Database& db, const std::optional<SecretBox>& secrets) {
  const auto check = call.body_of<LicenceCheck>({});
  const TenantId& tenant = check.tenant_id;
  LicenceRecords records;
  const auto hash = hash_of(secrets, tenant, co_await db.one(sealed_shop_secret(tenant)), check.key.value);
  if (!hash) co_return api::json_reply(200, Licence{});
  records.key = co_await db.one(delivery_key_by_hash(tenant, *hash));
  if (!records.key || !records.key->entitlement_id || !is_open(co_await db.one(tenant_by_id(tenant))))
    co_return api::json_reply(200, Licence{});
  records.deliverable = co_await db.one(deliverable_by_id(tenant, records.key->deliverable_id));
  records.entitlement = co_await db.one(entitlement_by_id(tenant, *records.key->entitlement_id));
  records.activations = (co_await db.one(number_of_activations(tenant, records.key->id))).value_or(0);
  Licence licence = licence_from(records, call.now);
  if (licence.valid && check.fingerprint &&
      !co_await db.one(activation_by_fingerprint(tenant, records.key->id, check.fingerprint->value))) {
    licence.valid = false;
    licence.status = LicenceStatus::NOT_ACTIVATED;
  }
  co_return api::json_reply(200, licence);
}

Failure licence_not_valid(const Licence& licence) {
  return bad_request("LICENCE_NOT_VALID", fmt::format("The key is not valid: {}.", name_of(licence.status)));
}

Task<Reply> activate(Call& call, Database& db, const std::optional<SecretBox>& secrets) {
  const auto input = call.body_of<LicenceActivation>({});
  Licence licence;
  co_await db.write([&](Tx& tx) {
    LicenceRecords records = read_licence(tx, secrets, input.tenant_id, input.key.value);
    licence = licence_from(records, call.now);
    if (!licence.valid) throw licence_not_valid(licence);
    if (tx.one(activation_by_fingerprint(input.tenant_id, records.key->id, input.fingerprint.value))) return;
    if (licence.activations >= licence.activations_max.value_or(activations_a_key_max)) {
      throw bad_request("ACTIVATION_LIMIT",
                        fmt::format("The key is used on {} computers already.", licence.activations));
    }
    records.key->updated_at = call.now;
    update_key(tx, *records.key);  // of two activations at once, the second one starts over and counts again
    insert_activation(tx, {.id = ActivationId::make(call.now),
                           .tenant_id = input.tenant_id,
                           .key_id = records.key->id,
                           .order_id = records.key->order_id,
                           .name = input.name.value,
                           .fingerprint = input.fingerprint.value,
                           .created_at = call.now});
    ++licence.activations;
  });
  co_return api::json_reply(200, licence);
}

Task<Reply> deactivate(Call& call, Database& db, const std::optional<SecretBox>& secrets) {
  const auto input = call.body_of<LicenceDeactivation>({});
  Licence licence;
  co_await db.write([&](Tx& tx) {
    const LicenceRecords records = read_licence(tx, secrets, input.tenant_id, input.key.value);
    licence = licence_from(records, call.now);
    if (licence.status == LicenceStatus::UNKNOWN) throw licence_not_valid(licence);
    const auto activation =
        tx.one(activation_by_fingerprint(input.tenant_id, records.key->id, input.fingerprint.value));
    if (!activation) return;
    erase_activation(tx, *activation);
    --licence.activations;
  });
  co_return api::json_reply(200, licence);
}

Task<Reply> show_public_key(Call& call, Database& db) {
  const auto found = co_await db.one(licence_public_key(TenantId(call.param(0))));
  if (!found) throw not_found("Key");
  co_return api::json_reply(200, LicencePublicKey{*found});
}

}  // namespace

std::vector<api::Route> licence_routes(Database& db, const std::optional<SecretBox>& secrets) {
  constexpr api::AddressLimit limit{.endpoint = "licences", .per_minute = 600, .local_without_cache = true};
  return {
      route(Method::post, "/api/licences/validate", Access::open, "Whether a key is a buyer's", validate, db, secrets)
          .takes<LicenceCheck>()
          .limited(limit)
          .gives<Licence>(200, "What is known of the key."),
      route(Method::post, "/api/licences/activate", Access::open, "Use a key on a computer", activate, db, secrets)
          .takes<LicenceActivation>()
          .limited(limit)
          .gives<Licence>(200, "The key is used there now."),
      route(Method::post, "/api/licences/deactivate", Access::open, "Stop using a key on a computer", deactivate, db,
            secrets)
          .takes<LicenceDeactivation>()
          .limited(limit)
          .gives<Licence>(200, "The key is not used there now."),
      route(Method::get, "/api/licences/public-key/:tenantId", Access::open, "The key that signs a shop's licences",
            show_public_key, db)
          .limited(limit)
          .gives<LicencePublicKey>(200, "32 bytes (Ed25519), base64url."),
  };
}

}  // namespace guildhall
