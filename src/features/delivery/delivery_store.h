#pragma once

#include "api/list.h"
#include "features/delivery/deliverable.h"
#include "storage/database.h"

// All SQL of deliverables and keys. Every function takes the tenant.
namespace guildhall {

Select<Deliverable> deliverable_by_id(const TenantId& tenant, const DeliverableId& id);

// In the order in which a buyer sees them.
Select<Deliverable> deliverables_of(const TenantId& tenant, const ProductId& product);

// Throws ONE_KEY_POOL.
void insert_deliverable(Tx& tx, const Deliverable& deliverable);
void update_deliverable(Tx& tx, Deliverable& deliverable);
void erase_deliverable(Tx& tx, const Deliverable& deliverable);

struct DeliveryKeyQuery : api::ListParams {
  Is<DeliverableId, "The keys of this deliverable."> deliverable_id;
  OneOf<DeliveryKeyStatus, "Keys in one of these statuses."> status;
  Is<OrderId, "The keys of this order."> order_id;
  Is<EntitlementId, "The keys of this entitlement."> entitlement_id;
  SortBy<"createdAt"> sort;
};
BOOST_DESCRIBE_STRUCT(DeliveryKeyQuery, (api::ListParams), (deliverable_id, status, order_id, entitlement_id, sort))

const Listing& delivery_key_listing();

Select<DeliveryKey> delivery_key_by_id(const TenantId& tenant, const DeliveryKeyId& id);
Select<DeliveryKey> delivery_key_by_hash(const TenantId& tenant, const std::string& key_hash);
Select<DeliveryKey> keys_of_entitlement(const TenantId& tenant, const EntitlementId& entitlement);

// Both count up to `limit`.
Select<std::int64_t> number_of_sold_keys(const TenantId& tenant, const DeliverableId& deliverable, std::int64_t limit);
Select<std::int64_t> number_of_free_keys(const TenantId& tenant, const DeliverableId& deliverable, std::int64_t limit);

// False if the tenant has the key already.
bool insert_key(Tx& tx, const DeliveryKey& key);
void update_key(Tx& tx, DeliveryKey& key);
void erase_key(Tx& tx, const DeliveryKey& key);
void erase_free_keys(Tx& tx, const TenantId& tenant, const DeliverableId& deliverable);

// Gives free keys of a pool to an entitlement, the oldest first. Returns their number, which is less than `count` if
// another transaction has taken some. No key is ever given twice.
std::int64_t take_free_keys(Tx& tx, const DeliverableId& deliverable, const Entitlement& entitlement,
                            std::int64_t count, Instant now);

}  // namespace guildhall
