#pragma once

#include "base/inputs.h"
#include "features/catalog/product.h"
#include "features/entitlements/entitlement.h"

// A part of what the buyers of a product get: a key, a link, a text. Pure: no clock, no database.
namespace guildhall {

using DeliverableId = Id<struct DeliverableTag>;
using DeliveryKeyId = Id<struct DeliveryKeyTag>;

enum class DeliverableKind {
  KEY_POOL,       // one of the shop's own keys
  KEY_GENERATED,  // a new key
  LINK,
  TEXT,
};
BOOST_DESCRIBE_ENUM(DeliverableKind, KEY_POOL, KEY_GENERATED, LINK, TEXT)

enum class DeliveredPer { UNIT, ORDER };
BOOST_DESCRIBE_ENUM(DeliveredPer, UNIT, ORDER)

constexpr std::size_t deliverables_max = 20;       // of a product
constexpr std::size_t keyed_deliverables_max = 3;  // of them, those with keys
constexpr std::size_t keys_a_request_max = 10'000;
constexpr std::size_t key_length_max = 1'000;
constexpr std::size_t content_length_max = 8'000;
constexpr std::int64_t free_keys_max = 100'000;        // of a deliverable
constexpr std::int64_t activations_a_key_max = 1'000;  // also of a key without a limit of its own

struct Deliverable {
  DeliverableId id;
  TenantId tenant_id;
  ProductId product_id;
  DeliverableKind kind = DeliverableKind::TEXT;
  std::string name;
  std::int64_t position = 0;
  DeliveredPer per = DeliveredPer::UNIT;        // keys: one for each unit, or one for each order
  std::optional<Instant> available_at;          // the buyer sees it from then on; null: at once
  std::optional<std::string> pattern;           // of generated keys: X is a letter or digit; null: signed licences
  std::optional<std::int64_t> activations_max;  // of each key; null: no limit
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::optional<std::string>> content;  // the link or the text; sealed where it is stored
};
BOOST_DESCRIBE_STRUCT(Deliverable, (),
                      (id, tenant_id, product_id, kind, name, position, per, available_at, pattern, activations_max,
                       created_at, updated_at, version, content))

using DeliverableInputs = Inputs<Fixed<&Deliverable::kind>, Required<&Deliverable::name, Text<200>>,
                                 Defaulted<&Deliverable::position, Bounded<0, 1'000'000>>, Defaulted<&Deliverable::per>,
                                 Optional<&Deliverable::available_at>, Optional<&Deliverable::pattern, Text<100>>,
                                 Optional<&Deliverable::activations_max, Bounded<1, activations_a_key_max>>,
                                 Defaulted<&Deliverable::content, Text<content_length_max>>>;
struct NewDeliverable : New<DeliverableInputs> {};
struct DeliverablePatch : Patch<DeliverableInputs> {};

bool has_keys(const Deliverable& deliverable);

// Throws Failure invalid that names every field that does not fit the others. `content` is not sealed yet.
void check(const Deliverable& deliverable);

// The number of keys that an order of this many units gets.
std::int64_t keys_for(const Deliverable& deliverable, std::int64_t units);

// A random key. Each X of the pattern is a letter or digit.
std::string make_key(const std::string& pattern);

enum class DeliveryKeyStatus {
  FREE,      // in the pool
  ASSIGNED,  // a buyer's
  REVOKED,   // was a buyer's; it is not sold again
};
BOOST_DESCRIBE_ENUM(DeliveryKeyStatus, FREE, ASSIGNED, REVOKED)

struct DeliveryKey {
  DeliveryKeyId id;
  TenantId tenant_id;
  DeliverableId deliverable_id;
  DeliveryKeyStatus status = DeliveryKeyStatus::FREE;
  std::string hint;
  std::optional<OrderId> order_id;
  std::optional<EntitlementId> entitlement_id;
  std::optional<Instant> assigned_at;
  std::optional<Instant> revoked_at;
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;
  Hidden<std::string> key;  // sealed
  Hidden<std::string> key_hash;
};
BOOST_DESCRIBE_STRUCT(DeliveryKey, (),
                      (id, tenant_id, deliverable_id, status, hint, order_id, entitlement_id, assigned_at, revoked_at,
                       created_at, updated_at, version, key, key_hash))

// The last characters, by which staff recognises a key; none of a short key, or of one with other letters than ASCII.
std::string hint_of_key(std::string_view key);

// The purposes that secrets are sealed for.
std::string content_context(const Deliverable& deliverable);
std::string key_context(const TenantId& tenant, const DeliveryKeyId& key);

}  // namespace guildhall
