#pragma once

#include "features/payments/methods/payment_method.h"
#include "storage/database.h"

// All SQL of payment methods.
namespace guildhall {

struct StoredMethod {
  TenantId tenant_id;
  PaymentMethod method;
  bool enabled = false;
  PaymentSettings settings;
  Hidden<std::optional<std::string>> credentials;  // sealed
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(StoredMethod, (),
                      (tenant_id, method, enabled, settings, credentials, created_at, updated_at, version))

// The methods that the tenant has ever set; the others are disabled.
Select<StoredMethod> stored_methods(const TenantId& tenant);
Select<StoredMethod> stored_method(const TenantId& tenant, PaymentMethod method);

// Inserts a record of version 0, or writes over the version it was read at, counting it up. Throws WriteRace.
void write_method(Tx& tx, StoredMethod& method);

}  // namespace guildhall
