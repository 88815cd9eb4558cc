#include "features/messages/alerts/push_subscription.h"

#include "base/crypto.h"
#include "base/encoding.h"

namespace guildhall {

outbound::PushReceiver PushSubscription::receiver() const {
  return {endpoint, from_base64url(p256dh.value).value_or(""), from_base64url(auth.value).value_or("")};
}

PushSubscription subscription_from(const NewPushSubscription& input, const TenantId& tenant,
                                   const AlertedPerson& person, TargetRule targets, Instant now) {
  std::vector<Problem> problems;
  check_target(input.endpoint, targets, "endpoint", problems);
  const auto point = from_base64url(input.keys.p256dh), secret = from_base64url(input.keys.auth);
  if (!point || !outbound::is_p256_point(*point)) {
    problems.push_back({"keys.p256dh", "must be a point of the curve P-256: 65 bytes in base64url"});
  }
  if (!secret || secret->size() != outbound::push_secret_bytes) {
    problems.push_back({"keys.auth", "must be 16 bytes in base64url"});
  }
  if (!problems.empty()) throw invalid_fields(std::move(problems));
  return {.tenant_id = tenant,
          .id = PushSubscriptionId(base64url(sha256(input.endpoint.value))),
          .user_tenant_id = {person.user_tenant},
          .user_id = {person.user},
          .endpoint = {input.endpoint.value},
          .p256dh = {input.keys.p256dh},
          .auth = {input.keys.auth},
          .created_at = now};
}

}  // namespace guildhall
