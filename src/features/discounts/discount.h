#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/metadata.h"

// A discount, and the rules for when and on which items it may be used. Pure: no clock, no database.
namespace guildhall {

enum class DiscountType { PERCENT, AMOUNT };
BOOST_DESCRIBE_ENUM(DiscountType, PERCENT, AMOUNT)

struct DiscountScope {
  bool applies_to_all = true;  // true: the lists are ignored
  std::vector<std::string> product_ids;
  std::vector<std::string> role_ids;
  std::vector<std::string> customer_ids;

  bool has_list() const { return !product_ids.empty() || !role_ids.empty() || !customer_ids.empty(); }
};
BOOST_DESCRIBE_STRUCT(DiscountScope, (), (applies_to_all, product_ids, role_ids, customer_ids))

struct DiscountLifecycle {
  bool is_active = true;
  std::optional<Instant> starts_at;
  std::optional<Instant> ends_at;
  std::optional<std::int64_t> usage_limit;
};
BOOST_DESCRIBE_STRUCT(DiscountLifecycle, (), (is_active, starts_at, ends_at, usage_limit))

struct Discount {
  DiscountId id;
  TenantId tenant_id;
  std::optional<std::string> code;
  DiscountType type = DiscountType::PERCENT;
  std::optional<Percent> percent;
  std::optional<Cents> amount_cents;
  std::optional<Currency> currency;  // an AMOUNT with a currency applies only to orders in that currency
  DiscountScope scope;
  DiscountLifecycle lifecycle;
  std::int64_t usage_count = 0;
  Metadata metadata{};
  Instant created_at;
  Instant updated_at;
  Hidden<std::int64_t> version;                 // incremented by every write, also by each use
  Hidden<std::int64_t> revision;                // incremented by every change of the terms
  Hidden<std::optional<std::string>> code_key;  // the case-folded code, for comparisons
  Hidden<std::optional<std::int64_t>> usage_limit;
  Hidden<bool> scope_explicit;  // appliesToAll was sent, rather than derived from the lists
  Hidden<std::optional<Instant>> deleted_at;
};
BOOST_DESCRIBE_STRUCT(Discount, (),
                      (id, tenant_id, code, type, percent, amount_cents, currency, scope, lifecycle, usage_count,
                       metadata, created_at, updated_at, version, revision, code_key, usage_limit, scope_explicit,
                       deleted_at))

using DiscountAmount = Bounded<1, Cents::value_max>;
using UsageLimit = Bounded<1, safe_integer_max>;
// In a PATCH these merge field by field; a create is a merge into the defaults.
struct ScopeChange {
  Change<std::optional<bool>> applies_to_all;
  Change<std::optional<ReferenceList>> product_ids;
  Change<std::optional<KeyList>> role_ids;
  Change<std::optional<ReferenceList>> customer_ids;
};
BOOST_DESCRIBE_STRUCT(ScopeChange, (), (applies_to_all, product_ids, role_ids, customer_ids))

struct LifecycleChange {
  Change<std::optional<bool>> is_active;
  Change<std::optional<Instant>> starts_at;
  Change<std::optional<Instant>> ends_at;
  Change<std::optional<UsageLimit>> usage_limit;
};
BOOST_DESCRIBE_STRUCT(LifecycleChange, (), (is_active, starts_at, ends_at, usage_limit))

// A wrong member of the lifecycle changes nothing, while the others count, so that a wrong order of the two times is
// reported together with a wrong limit.
template <>
struct Codec<Change<std::optional<LifecycleChange>>> : PlainCodec {
  using Lifecycle = std::optional<LifecycleChange>;
  static constexpr bool required = false;
  static void decode(JsonValue value, Change<Lifecycle>& out, Decoder& decoder) {
    Codec<Lifecycle>::decode(value, out.value.emplace(), decoder);
  }
  static void encode(std::string& out, const Change<Lifecycle>& value) {
    Codec<std::optional<Lifecycle>>::encode(out, value.value);
  }
  static void schema(Schema& schema) { Codec<Lifecycle>::schema(schema); }
};

struct NewDiscount {
  using Record = Discount;
  std::optional<Key> code;
  DiscountType type;
  std::optional<Percent> percent;
  std::optional<DiscountAmount> amount_cents;
  std::optional<Currency> currency;
  std::optional<ScopeChange> scope;
  std::optional<LifecycleChange> lifecycle;
  std::optional<MetadataChange> metadata;
};
BOOST_DESCRIBE_STRUCT(NewDiscount, (), (code, type, percent, amount_cents, currency, scope, lifecycle, metadata))

struct DiscountPatch {
  using Record = Discount;
  Change<std::optional<Key>> code;
  Change<DiscountType> type;
  Change<std::optional<Percent>> percent;
  Change<std::optional<DiscountAmount>> amount_cents;
  Change<std::optional<Currency>> currency;
  Change<std::optional<ScopeChange>> scope;
  Change<std::optional<LifecycleChange>> lifecycle;
  Change<std::optional<MetadataChange>> metadata;
};
BOOST_DESCRIBE_STRUCT(DiscountPatch, (), (code, type, percent, amount_cents, currency, scope, lifecycle, metadata))

// Both throw Failure invalid, which names every field that is wrong in the context of the whole record.
Discount discount_from(const NewDiscount& input, const TenantId& tenant, Instant now);
void apply(const DiscountPatch& patch, Discount& discount);

// Adds such problems of the request to those of its single fields.
void check(const NewDiscount& input, Decoder& decoder);

// Throws DISCOUNT_INACTIVE, DISCOUNT_NOT_STARTED, DISCOUNT_EXPIRED or DISCOUNT_LIMIT_REACHED.
void require_usable(const Discount& discount, Instant now);

Failure discount_not_found();
Failure discount_limit_reached();
Failure discount_not_eligible(std::string_view why);
Failure discount_code_taken();

}  // namespace guildhall
