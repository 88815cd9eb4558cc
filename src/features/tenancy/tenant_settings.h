#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/time_zone.h"
#include "features/tenancy/allowed_origins.h"

namespace guildhall::api {
struct Call;
}

// The settings that a tenant chooses for itself.
namespace guildhall {

constexpr std::int64_t first_order_number = 1001;
constexpr std::int64_t order_number_max = 999'999'999'999;
constexpr std::int64_t order_expiry_minutes_max = 525'600;  // a year
using ExpiryMinutes = Bounded<0, order_expiry_minutes_max>;

struct TenantSettings {
  TenantId tenant_id;
  std::optional<std::int64_t> order_expiry_minutes;  // null: the installation's default
  bool require_second_factor = false;                // of users who sign in with a password
  std::optional<Currency> currency;                  // null: USD
  std::optional<std::string> time_zone;              // of the IANA database; null: UTC
  std::vector<std::string> allowed_origins{};        // of pages that may call the API with a token
  bool parcels_move_orders = true;
  std::optional<std::string> order_number_prefix;              // of sequential order numbers; null: numbers are random
  Hidden<std::int64_t> order_number_next{first_order_number};  // changed without a new version
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(TenantSettings, (),
                      (tenant_id, order_expiry_minutes, require_second_factor, currency, time_zone, allowed_origins,
                       parcels_move_orders, order_number_prefix, order_number_next, updated_at, version))

struct ShownSettings {
  std::optional<std::int64_t> order_expiry_minutes;
  std::int64_t effective_order_expiry_minutes = 0;  // 0: unpaid orders never expire
  bool require_second_factor = false;
  std::optional<Currency> currency;
  Currency effective_currency;
  std::optional<std::string> time_zone;
  std::string effective_time_zone;
  std::vector<std::string> allowed_origins;
  bool parcels_move_orders = true;
  std::optional<std::string> order_number_prefix;
  std::int64_t order_number_next = first_order_number;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(ShownSettings, (),
                      (order_expiry_minutes, effective_order_expiry_minutes, require_second_factor, currency,
                       effective_currency, time_zone, effective_time_zone, allowed_origins, parcels_move_orders,
                       order_number_prefix, order_number_next, version))

struct SettingsPatch {
  using Record = ShownSettings;
  Change<std::optional<ExpiryMinutes>> order_expiry_minutes;
  Change<bool> require_second_factor;
  Change<std::optional<Currency>> currency;
  Change<std::optional<TimeZone>> time_zone;
  Change<std::optional<WebOrigins>> allowed_origins;
  Change<bool> parcels_move_orders;
  Change<std::optional<Text<16>>> order_number_prefix;
  Change<Bounded<1, order_number_max>> order_number_next;
};
BOOST_DESCRIBE_STRUCT(SettingsPatch, (),
                      (order_expiry_minutes, require_second_factor, currency, time_zone, allowed_origins,
                       parcels_move_orders, order_number_prefix, order_number_next))

// Reports a prefix with other characters than letters, digits, '.', '_' and '-'.
void check(const SettingsPatch& patch, Decoder& decoder);

// Writes the settings, except for the next order number, and increments their version. Throws WriteRace if they were
// changed since they were read.
void put_tenant_settings(Tx& tx, TenantSettings& settings);

// Later slices contribute to it what they know about the settings (Slice::contributes).
struct SettingsRules {
  // Throws if the caller may not make this change.
  using Check = std::function<void(Tx&, const api::Call&, const TenantSettings& before, const TenantSettings& after)>;
  std::vector<Check> checks;
  std::int64_t default_order_expiry_minutes = 0;
};

// The parts of statements that read a setting together with the rows of another slice, since a round trip of its own
// would make every request slower. $1 is the tenant.
constexpr std::string_view from_shop_with_currency =
    " FROM tenant_settings WHERE tenant_id = $1 AND currency IS NOT NULL";
constexpr std::string_view from_shop_with_second_factor =
    " FROM tenant_settings WHERE tenant_id = $1 AND require_second_factor";

// Whether parcels move the status of their order.
bool parcels_move_orders(Tx& tx, const TenantId& tenant);

// A tenant whose unpaid orders expire.
struct ExpiryRule {
  TenantId tenant;
  std::int64_t minutes = 0;
};

// The rules of the tenants after the given one, in the order of their ids. A tenant without a setting of its own has
// the default. Tenants with 0 minutes are left out: their orders never expire.
Select<ExpiryRule> expiry_rules(const TenantId& after, std::int64_t default_minutes, std::int64_t limit);

// The beginning of the shop's order numbers; nothing if they are random.
Select<std::string> order_number_prefix(const TenantId& tenant);

// Returns the next order number of a shop that has a prefix, and counts on.
std::int64_t take_order_number(Tx& tx, const TenantId& tenant);

// Lets the numbers of a shop that has settings go on with this one.
void set_next_order_number(Tx& tx, const TenantId& tenant, std::int64_t next);

}  // namespace guildhall
