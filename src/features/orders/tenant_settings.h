#pragma once

#include <optional>
#include <string>

#include "base/declared.h"
#include "base/field_types.h"
#include "base/time_zone.h"
#include "features/orders/order_number.h"
#include "features/tenancy/allowed_origins.h"

// The settings that a tenant chooses for itself.
namespace guildhall {

constexpr std::int64_t order_expiry_minutes_max = 525'600;  // a year
using ExpiryMinutes = Bounded<0, order_expiry_minutes_max>;

struct TenantSettings {
  TenantId tenant_id;
  std::optional<std::int64_t> order_expiry_minutes;  // null: the installation's default
  bool require_second_factor = false;                // of users who sign in with a password; identity reads it
  std::optional<Currency> currency;                  // null: USD
  std::optional<std::string> time_zone;              // of the IANA database; null: UTC
  std::vector<std::string> allowed_origins{};        // of pages that may call the API with a token
  bool parcels_move_orders = true;                   // fulfilment reads it
  std::optional<std::string> order_number_prefix;    // of sequential order numbers; null: numbers are random
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

}  // namespace guildhall
