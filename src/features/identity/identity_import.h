#pragma once

#include "base/ids.h"
#include "storage/database.h"

// For the import of a tenant.
namespace guildhall {

// The provider of the identity by which the admin of the configuration is found. No person has such an identity.
constexpr std::string_view configuration_provider = "configuration";

// Dates the identities of a tenant that was just imported before all identities that the same people have in other
// tenants, so that an import does not decide to which shop their direct messages belong.
void age_identities(Tx& tx, const TenantId& tenant);

// Inserts the keys of all roles of a tenant whose roles were just imported.
void insert_keys_of_roles(Tx& tx, const TenantId& tenant);

}  // namespace guildhall
