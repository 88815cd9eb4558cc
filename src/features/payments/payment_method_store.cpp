#include "features/payments/payment_method_store.h"

#include "storage/columns.h"

namespace guildhall {
namespace {

const std::string select_method = "SELECT " + columns<StoredMethod>() + " FROM payment_methods WHERE tenant_id = $1";

}  // namespace

static const Sql all_sql(select_method);

Select<StoredMethod> stored_methods(const TenantId& tenant) {
  return {{&all_sql, params(tenant)}, read_row<StoredMethod>};
}

static const Sql one_sql(select_method + " AND method = $2");

Select<StoredMethod> stored_method(const TenantId& tenant, PaymentMethod method) {
  return {{&one_sql, params(tenant, method)}, read_row<StoredMethod>};
}

static const Sql insert_sql("INSERT INTO payment_methods (" + columns<StoredMethod>() + ") VALUES (" +
                            placeholders<StoredMethod>() + ") ON CONFLICT (tenant_id, method) DO NOTHING");

static const Sql update_sql("UPDATE payment_methods SET " + assignments<StoredMethod>(2) +
                            " WHERE tenant_id = $1 AND method = $2 AND version = $9");

void write_method(Tx& tx, StoredMethod& method) {
  const std::int64_t read_version = method.version.value++;
  std::vector<Value> values = values_of(method);
  if (read_version > 0) values.emplace_back(read_version);
  if (tx.run({read_version > 0 ? &update_sql : &insert_sql, std::move(values)}) == 0) throw WriteRace();
}

}  // namespace guildhall
