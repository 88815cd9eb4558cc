#pragma once

#include "base/secret_box.h"
#include "features/messages/alerts/push_subscription.h"
#include "storage/storage.h"

// All SQL of web push.
namespace guildhall {

Select<PushSubscription> push_subscription_by_id(const TenantId& tenant, const PushSubscriptionId& id);

// Oldest first.
Select<PushSubscription> push_subscriptions_of(const TenantId& tenant, const AlertedPerson& person,
                                               std::int64_t limit = push_subscriptions_max);

// A browser belongs to the person of the shop who subscribed last with it.
void put_push_subscription(Tx& tx, const PushSubscription& subscription);

void delete_push_subscription(Tx& tx, const TenantId& tenant, const PushSubscriptionId& id);

// In every tenant. The user may be of another one.
void delete_push_subscriptions(Tx& tx, const AlertedPerson& person);

// The key pair of this installation, which is made when the first server starts. Nothing, with an error in the log, if
// the master key does not open it.
std::optional<outbound::P256Key> ensure_vapid_key(Storage& storage, const SecretBox& secrets);

}  // namespace guildhall
