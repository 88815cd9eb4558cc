#pragma once

#include "base/currency.h"
#include "base/time_zone.h"
#include "storage/database.h"

namespace guildhall {

// The currency and the time zone of a shop, for requests that name none. They are settings of the tenant
// (`/api/admin/settings`); a shop without them has USD and UTC.
struct ShopDefaults {
  Currency currency;
  TimeZone time_zone;
};

ShopDefaults read_shop_defaults(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
