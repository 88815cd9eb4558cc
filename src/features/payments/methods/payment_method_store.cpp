#include "features/payments/methods/payment_method_store.h"

#include "storage/record_table.h"

namespace guildhall {

static const RecordTable<StoredMethod> method_table("payment_methods",
                                                    {.on_conflict = "(tenant_id, method) DO NOTHING"});
static const Sql all_sql(method_table.select + " WHERE tenant_id = $1");

Select<StoredMethod> stored_methods(const TenantId& tenant) {
  return {{&all_sql, params(tenant)}, read_row<StoredMethod>};
}

Select<StoredMethod> stored_method(const TenantId& tenant, PaymentMethod method) {
  return method_table.by_id(tenant, method);
}

void write_method(Tx& tx, StoredMethod& method) {
  method_table.save(tx, method);
}

}  // namespace guildhall
