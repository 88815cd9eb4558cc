#include "features/entitlements/entitlement.h"

namespace guildhall {
namespace {

using enum EntitlementStatus;

}  // namespace

bool may_move(EntitlementStatus from, EntitlementStatus to) {
  if (from == to || to == REVOKED) return true;
  return (from == PENDING && (to == GRANTED || to == FAILED)) || (from == FAILED && to == PENDING);
}

void move_to(Entitlement& entitlement, EntitlementStatus status, Instant now) {
  if (!may_move(entitlement.status, status)) {
    throw bad_request("INVALID_TRANSITION", fmt::format("An entitlement cannot go from {} to {}.",
                                                        name_of(entitlement.status), name_of(status)));
  }
  entitlement.status = status;
  if (status == GRANTED && !entitlement.granted_at) entitlement.granted_at = now;
}

Entitlement entitlement_from(const NewEntitlement& input, const TenantId& tenant, Instant now) {
  Entitlement made = input.made(tenant, now);
  made.checked_at = {now};
  if (made.status == GRANTED && !made.granted_at) made.granted_at = now;
  return made;
}

void apply(const EntitlementPatch& patch, Entitlement& entitlement, Instant now) {
  patch.apply_to(entitlement);
  const EntitlementStatus status = patch.record.status;
  if (patch.gives<&Entitlement::status>() && status != entitlement.status) move_to(entitlement, status, now);
}

std::optional<MemberRole> member_role_of(const Entitlement& entitlement) {
  if (entitlement.type != EntitlementType::CHAT_ROLE || !entitlement.chat_user_id || !entitlement.role_id) {
    return std::nullopt;
  }
  return MemberRole{*entitlement.chat_user_id, *entitlement.role_id};
}

bool wants_role(const Entitlement& entitlement) {
  return entitlement.type == EntitlementType::CHAT_ROLE &&
         (entitlement.status == PENDING || entitlement.status == GRANTED);
}

EntitlementPayload payload_of(const Entitlement& entitlement) {
  EntitlementPayload payload{.entitlement_id = entitlement.id.text(),
                             .user_id = entitlement.user_id.text(),
                             .order_id = entitlement.order_id.text(),
                             .product_id = entitlement.product_id.text(),
                             .type = std::string(name_of(entitlement.type)),
                             .status = std::string(name_of(entitlement.status)),
                             .role_id = entitlement.role_id,
                             .customer_id = std::nullopt,
                             .chat_user_id = entitlement.chat_user_id,
                             .granted_at = entitlement.granted_at,
                             .membership_id = std::nullopt,
                             .expires_at = entitlement.expires_at,
                             .reason = std::nullopt};
  if (entitlement.customer_id) payload.customer_id = entitlement.customer_id->text();
  if (entitlement.membership_id) payload.membership_id = entitlement.membership_id->text();
  if (entitlement.reason) payload.reason = std::string(name_of(*entitlement.reason));
  return payload;
}

}  // namespace guildhall
