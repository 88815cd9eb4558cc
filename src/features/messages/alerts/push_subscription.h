#pragma once

#include <string>
#include <vector>

#include "base/url.h"
#include "features/messages/alerts/alert.h"
#include "features/webhooks/endpoint.h"
#include "outbound/web_push.h"

// A browser that shows a person's alerts, and the key with which this installation identifies itself to push services.
namespace guildhall {

using PushSubscriptionId = Id<struct PushSubscriptionTag>;

constexpr std::int64_t push_subscriptions_max = 10;  // of a person in a shop; a further one replaces the oldest

struct PushSubscription {
  TenantId tenant_id;
  PushSubscriptionId id;  // a hash of the endpoint
  Hidden<TenantId> user_tenant_id;
  Hidden<UserId> user_id;
  Hidden<std::string> endpoint;
  Hidden<std::string> p256dh;  // base64url, as the browser sent it
  Hidden<std::string> auth;
  Instant created_at;

  AlertedPerson person() const { return {user_tenant_id.value, user_id.value}; }
  outbound::PushReceiver receiver() const;
};
BOOST_DESCRIBE_STRUCT(PushSubscription, (),
                      (tenant_id, id, user_tenant_id, user_id, endpoint, p256dh, auth, created_at))

struct PushKeys {
  std::string p256dh;
  std::string auth;
};
BOOST_DESCRIBE_STRUCT(PushKeys, (), (p256dh, auth))

// As the browser's PushSubscription.toJSON() has it.
struct NewPushSubscription {
  using Record = PushSubscription;
  Url endpoint;
  PushKeys keys;
};
BOOST_DESCRIBE_STRUCT(NewPushSubscription, (), (endpoint, keys))

// Throws Failure invalid that names every wrong field.
PushSubscription subscription_from(const NewPushSubscription& input, const TenantId& tenant,
                                   const AlertedPerson& person, TargetRule targets, Instant now);

// The settings of the process for web push.
struct PushSetup {
  std::optional<outbound::P256Key> key;  // none: the installation has no master key, so there is no web push
  TargetRule targets = TargetRule::public_https;
};

}  // namespace guildhall
