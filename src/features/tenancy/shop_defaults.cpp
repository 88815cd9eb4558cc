#include "features/tenancy/shop_defaults.h"

#include "storage/columns.h"

namespace guildhall {

static const Sql by_tenant_sql("SELECT currency, time_zone FROM tenant_settings WHERE tenant_id = $1");

ShopDefaults read_shop_defaults(Tx& tx, const TenantId& tenant) {
  ShopDefaults defaults;
  tx.run({&by_tenant_sql, params(tenant)}, [&](const Row& row) {
    if (!row.is_null(0)) defaults.currency = Column<Currency>::read(row, 0);
    // A machine may have lost the time zone: its reports then name UTC.
    if (!row.is_null(1)) defaults.time_zone = TimeZone::find(row.text(1)).value_or(TimeZone());
  });
  return defaults;
}

}  // namespace guildhall
