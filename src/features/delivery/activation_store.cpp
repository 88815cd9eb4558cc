#include "features/delivery/activation_store.h"

#include "storage/record_table.h"

namespace guildhall {
namespace {

const RecordTable<Activation> activation_table("licence_activations",
                                               {.on_conflict = "(tenant_id, key_id, fingerprint) DO NOTHING"});
const Sql of_key_sql(activation_table.select + " WHERE tenant_id = $1 AND key_id = $2 ORDER BY id");
const Sql count_sql("SELECT COUNT(*) FROM licence_activations WHERE tenant_id = $1 AND key_id = $2");
const Sql by_fingerprint_sql(activation_table.select + " WHERE tenant_id = $1 AND key_id = $2 AND fingerprint = $3");
const Sql erase_of_key_sql("DELETE FROM licence_activations WHERE tenant_id = $1 AND key_id = $2");

}  // namespace

Select<Activation> activations_of(const TenantId& tenant, const DeliveryKeyId& key) {
  return {{&of_key_sql, params(tenant, key)}, read_row<Activation>};
}

Select<std::int64_t> number_of_activations(const TenantId& tenant, const DeliveryKeyId& key) {
  return {{&count_sql, params(tenant, key)}, [](const Row& row) { return row.integer(0); }};
}

Select<Activation> activation_by_id(const TenantId& tenant, const ActivationId& id) {
  return activation_table.by_id(tenant, id);
}

Select<Activation> activation_by_fingerprint(const TenantId& tenant, const DeliveryKeyId& key,
                                             const std::string& fingerprint) {
  return {{&by_fingerprint_sql, params(tenant, key, fingerprint)}, read_row<Activation>};
}

bool insert_activation(Tx& tx, const Activation& activation) {
  return activation_table.insert(tx, activation);
}

void erase_activation(Tx& tx, const Activation& activation) {
  activation_table.erase(tx, activation);
}

void erase_activations(Tx& tx, const TenantId& tenant, const DeliveryKeyId& key) {
  tx.run({&erase_of_key_sql, params(tenant, key)});
}

}  // namespace guildhall
