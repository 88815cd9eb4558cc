#include "features/payments/methods/payment_method_store.h"

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

static const Sql update_sql(versioned_update<StoredMethod>("payment_methods"));

void write_method(Tx& tx, StoredMethod& method) {
  write_versioned(tx, method.version == 0 ? insert_sql : update_sql, method);
}

}  // namespace guildhall
