#pragma once

#include "features/delivery/deliverable.h"
#include "storage/database.h"

// A computer on which a key is used, and its SQL.
namespace guildhall {

using ActivationId = Id<struct ActivationTag>;

struct Activation {
  ActivationId id;
  TenantId tenant_id;
  DeliveryKeyId key_id;
  std::optional<OrderId> order_id;
  std::string name;
  std::string fingerprint;
  Instant created_at;
};
BOOST_DESCRIBE_STRUCT(Activation, (), (id, tenant_id, key_id, order_id, name, fingerprint, created_at))

Select<Activation> activations_of(const TenantId& tenant, const DeliveryKeyId& key);
Select<std::int64_t> number_of_activations(const TenantId& tenant, const DeliveryKeyId& key);
Select<Activation> activation_by_id(const TenantId& tenant, const ActivationId& id);
Select<Activation> activation_by_fingerprint(const TenantId& tenant, const DeliveryKeyId& key,
                                             const std::string& fingerprint);

// False if the fingerprint is activated already.
bool insert_activation(Tx& tx, const Activation& activation);
void erase_activation(Tx& tx, const Activation& activation);
void erase_activations(Tx& tx, const TenantId& tenant, const DeliveryKeyId& key);

}  // namespace guildhall
