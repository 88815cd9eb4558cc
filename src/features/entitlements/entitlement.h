#pragma once

#include <optional>
#include <string>

#include "base/field_types.h"
#include "base/inputs.h"

// An entitlement is a role on the chat server or a digital item that a buyer gets. Pure: no clock, no database.
namespace guildhall {

using EntitlementId = Id<struct EntitlementTag>;
using MembershipId = Id<struct MembershipTag>;

// Identifies the person who holds an entitlement or a membership: the id of their user. For a person without a user it
// is the id of their customer, else their id on the chat server, else the id of the order.
using HolderId = Id<struct HolderTag>;

enum class EntitlementType { CHAT_ROLE, DIGITAL_ITEM };
BOOST_DESCRIBE_ENUM(EntitlementType, CHAT_ROLE, DIGITAL_ITEM)

enum class EntitlementStatus { PENDING, GRANTED, REVOKED, FAILED };
BOOST_DESCRIBE_ENUM(EntitlementStatus, PENDING, GRANTED, REVOKED, FAILED)

// Why an entitlement of a membership was revoked.
enum class RevocationReason { EXPIRED, REFUNDED, PAUSED, PLAN_CHANGED };
BOOST_DESCRIBE_ENUM(RevocationReason, EXPIRED, REFUNDED, PAUSED, PLAN_CHANGED)

struct Entitlement {
  EntitlementId id;
  TenantId tenant_id;
  HolderId user_id;
  OrderId order_id;
  ProductId product_id;
  EntitlementType type = EntitlementType::CHAT_ROLE;
  std::optional<std::string> role_id;
  EntitlementStatus status = EntitlementStatus::PENDING;
  JsonObject metadata;
  std::optional<Instant> granted_at;
  std::optional<CustomerId> customer_id;
  std::optional<std::string> chat_user_id;
  std::optional<Instant> last_attempt_at;     // when the chat server was last asked to change the role
  std::optional<std::string> failure_reason;  // of that attempt; null if it succeeded
  std::optional<MembershipId> membership_id;  // null: it is granted for good
  std::optional<Instant> expires_at;          // the end of what was paid for; a time of grace may follow
  std::optional<RevocationReason> reason;     // null: not revoked, or by hand, or not of a membership
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<Instant> checked_at;
  Hidden<std::optional<std::string>> source_key;  // the part of the order that it comes from; null: created by hand
};
BOOST_DESCRIBE_STRUCT(Entitlement, (),
                      (id, tenant_id, user_id, order_id, product_id, type, role_id, status, metadata, granted_at,
                       customer_id, chat_user_id, last_attempt_at, failure_reason, membership_id, expires_at, reason,
                       created_at, updated_at, version, checked_at, source_key))

using EntitlementInputs =
    Inputs<OnlyNew<Required<&Entitlement::user_id>>, Fixed<&Entitlement::order_id>, Fixed<&Entitlement::product_id>,
           Fixed<&Entitlement::type>, OnlyPatch<Required<&Entitlement::user_id>>, Optional<&Entitlement::role_id, Key>,
           ByCode<&Entitlement::status>, Defaulted<&Entitlement::metadata>, Optional<&Entitlement::granted_at>,
           Optional<&Entitlement::customer_id>, Optional<&Entitlement::chat_user_id, Key>>;
struct NewEntitlement : New<EntitlementInputs> {};
struct EntitlementPatch : Patch<EntitlementInputs> {};

// PENDING → GRANTED | FAILED, FAILED → PENDING, any → REVOKED. Keeping the status is allowed.
bool may_move(EntitlementStatus from, EntitlementStatus to);

// Sets the status, and the time of the grant unless it is known. Throws INVALID_TRANSITION.
void move_to(Entitlement& entitlement, EntitlementStatus status, Instant now);

Entitlement entitlement_from(const NewEntitlement& input, const TenantId& tenant, Instant now);

// Throws INVALID_TRANSITION.
void apply(const EntitlementPatch& patch, Entitlement& entitlement, Instant now);

// A role of a member of the chat server. member_role_of returns nothing if the entitlement names no role or no member.
struct MemberRole {
  std::string chat_user_id;
  std::string role_id;

  auto operator<=>(const MemberRole&) const = default;
};
BOOST_DESCRIBE_STRUCT(MemberRole, (), (chat_user_id, role_id))
std::optional<MemberRole> member_role_of(const Entitlement& entitlement);

// Whether the member should have the role because of this entitlement.
bool wants_role(const Entitlement& entitlement);

struct EntitlementPayload {
  std::string entitlement_id;
  std::string user_id;
  std::string order_id;
  std::string product_id;
  std::string type;
  std::string status;
  std::optional<std::string> role_id;
  std::optional<std::string> customer_id;
  std::optional<std::string> chat_user_id;
  std::optional<Instant> granted_at;
  std::optional<std::string> membership_id;
  std::optional<Instant> expires_at;
  std::optional<std::string> reason;
};
BOOST_DESCRIBE_STRUCT(EntitlementPayload, (),
                      (entitlement_id, user_id, order_id, product_id, type, status, role_id, customer_id, chat_user_id,
                       granted_at, membership_id, expires_at, reason))
EntitlementPayload payload_of(const Entitlement& entitlement);

// A digital item was granted, or the chat server has confirmed a role.
struct EntitlementGranted {
  static constexpr std::string_view name = "entitlement.granted";
  const Entitlement& entitlement;
  EntitlementPayload payload() const { return payload_of(entitlement); }
};

// Why a role could not be granted, if the buyer can do something about it.
constexpr std::string_view buyer_is_no_member = "The buyer is not a member of the chat server.";

// A role could not be granted, or cannot be before it is known who the buyer is on the chat server.
struct EntitlementDelayed {
  static constexpr std::string_view name = "entitlement.delayed";
  const Entitlement& entitlement;
};

struct EntitlementRevoked {
  static constexpr std::string_view name = "entitlement.revoked";
  const Entitlement& entitlement;
  EntitlementPayload payload() const { return payload_of(entitlement); }
};

}  // namespace guildhall
