#include "features/messages/alerts/push_store.h"

#include "base/encoding.h"
#include "base/log.h"
#include "storage/columns.h"

namespace guildhall {

static const std::string select_subscription =
    select_from<PushSubscription>("push_subscriptions") + " WHERE tenant_id = $1";
static const Sql subscription_by_id_sql(select_subscription + " AND id = $2");
static const Sql subscriptions_of_person_sql(
    select_subscription + " AND user_tenant_id = $2 AND user_id = $3 ORDER BY created_at, id LIMIT $4");

Select<PushSubscription> push_subscription_by_id(const TenantId& tenant, const PushSubscriptionId& id) {
  return {{&subscription_by_id_sql, params(tenant, id)}, read_row<PushSubscription>};
}

Select<PushSubscription> push_subscriptions_of(const TenantId& tenant, const AlertedPerson& person,
                                               std::int64_t limit) {
  return {{&subscriptions_of_person_sql, params(tenant, person.user_tenant, person.user, limit)},
          read_row<PushSubscription>};
}

static const Sql put_subscription_sql(
    insert_into<PushSubscription>("push_subscriptions") +
    " ON CONFLICT (tenant_id, id) DO UPDATE SET user_tenant_id = excluded.user_tenant_id, user_id = excluded.user_id,"
    " p256dh = excluded.p256dh, auth = excluded.auth, created_at = excluded.created_at");

void put_push_subscription(Tx& tx, const PushSubscription& subscription) {
  tx.run({&put_subscription_sql, values_of(subscription)});
}

static const Sql delete_subscription_sql("DELETE FROM push_subscriptions WHERE tenant_id = $1 AND id = $2");

void delete_push_subscription(Tx& tx, const TenantId& tenant, const PushSubscriptionId& id) {
  tx.run({&delete_subscription_sql, params(tenant, id)});
}

static const Sql delete_browsers_sql("DELETE FROM push_subscriptions WHERE user_tenant_id = $1 AND user_id = $2");

void delete_push_subscriptions(Tx& tx, const AlertedPerson& person) {
  tx.later({&delete_browsers_sql, params(person.user_tenant, person.user)});
}

namespace {

const TenantId whole_installation;
constexpr std::string_view vapid_context = "vapid/";  // as slice.cpp declares it

struct SealedVapidKey {
  std::string public_key;
  std::string sealed_key;
};

SealedVapidKey read_vapid_row(const Row& row) {
  return {std::string(row.text(0)), std::string(row.text(1))};
}

const Sql vapid_key_sql("SELECT public_key, sealed_key FROM vapid_keys WHERE tenant_id = $1");
const Sql insert_vapid_sql(
    "INSERT INTO vapid_keys (tenant_id, public_key, sealed_key, created_at) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT (tenant_id) DO NOTHING");

}  // namespace

std::optional<outbound::P256Key> ensure_vapid_key(Storage& storage, const SecretBox& secrets) {
  std::optional<SealedVapidKey> stored;
  storage.write_now([&](Tx& tx) {
    const Select<SealedVapidKey> present{{&vapid_key_sql, params(whole_installation)}, read_vapid_row};
    stored = tx.one(present);
    if (stored) return;
    const outbound::P256Key made = outbound::make_p256_key();
    tx.run({&insert_vapid_sql, params(whole_installation, base64url(made.public_bytes),
                                      secrets.seal(made.private_bytes, vapid_context), now())});
    stored = tx.one(present);
  });
  auto private_bytes = secrets.open(stored->sealed_key, vapid_context);
  if (private_bytes) return outbound::P256Key{from_base64url(stored->public_key).value_or(""), *private_bytes};
  log::error("The key for web push cannot be opened with this SERVICE_MASTER_KEY: alerts do not reach browsers.");
  return std::nullopt;
}

}  // namespace guildhall
