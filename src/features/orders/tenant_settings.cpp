#include "api/idempotency.h"
#include "audit/audit.h"
#include "features/identity/permissions.h"
#include "features/identity/second_factor.h"
#include "features/orders/routes.h"
#include "storage/record.h"

namespace guildhall {

constexpr std::int64_t order_expiry_minutes_max = 525'600;  // a year
using ExpiryMinutes = Bounded<0, order_expiry_minutes_max>;

struct TenantSettings {
  TenantId tenant_id;
  std::optional<std::int64_t> order_expiry_minutes;  // null: the installation's default
  bool require_second_factor = false;                // of users who sign in with a password; identity reads it
  Instant updated_at;
  Hidden<std::int64_t> version;
};
BOOST_DESCRIBE_STRUCT(TenantSettings, (), (tenant_id, order_expiry_minutes, require_second_factor, updated_at, version))

struct ShownSettings {
  std::optional<std::int64_t> order_expiry_minutes;
  std::int64_t effective_order_expiry_minutes = 0;  // 0: unpaid orders never expire
  bool require_second_factor = false;
};
BOOST_DESCRIBE_STRUCT(ShownSettings, (), (order_expiry_minutes, effective_order_expiry_minutes, require_second_factor))

struct SettingsPatch {
  using Record = ShownSettings;
  Change<std::optional<ExpiryMinutes>> order_expiry_minutes;
  Change<bool> require_second_factor;
};
BOOST_DESCRIBE_STRUCT(SettingsPatch, (), (order_expiry_minutes, require_second_factor))

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

const Sql by_tenant_sql("SELECT " + columns<TenantSettings>() + " FROM tenant_settings WHERE tenant_id = $1");

Select<TenantSettings> settings_of(const TenantId& tenant) {
  return {{&by_tenant_sql, params(tenant)}, read_row<TenantSettings>};
}

const Sql put_sql("INSERT INTO tenant_settings (" + columns<TenantSettings>() + ") VALUES (" +
                  placeholders<TenantSettings>() +
                  ") ON CONFLICT (tenant_id) DO UPDATE SET order_expiry_minutes = excluded.order_expiry_minutes,"
                  " require_second_factor = excluded.require_second_factor,"
                  " updated_at = excluded.updated_at, version = excluded.version"
                  " WHERE tenant_settings.version = excluded.version - 1");

Reply shown(const std::optional<TenantSettings>& settings, const OrderConfig& config) {
  ShownSettings answer;
  if (settings) {
    answer.order_expiry_minutes = settings->order_expiry_minutes;
    answer.require_second_factor = settings->require_second_factor;
  }
  answer.effective_order_expiry_minutes = answer.order_expiry_minutes.value_or(config.order_expiry_minutes);
  return api::json_reply(200, answer);
}

Task<Reply> find(Call& call, Database& db, const OrderConfig& config) {
  co_return shown(co_await db.one(settings_of(call.tenant)), config);
}

// Who requires a second factor must have one, so that nobody is locked out by an installation that cannot store any.
void require_may_change_second_factor(Tx& tx, const Call& call, bool required) {
  if (!call.caller->may(tenant_admin)) {
    throw forbidden("PERMISSION_DENIED", "Changing requireSecondFactor needs the permission TenantAdmin.");
  }
  if (required && !has_second_factor(tx, call.user())) {
    throw bad_request("SECOND_FACTOR_MISSING", "Enrol a second factor yourself before you require it.");
  }
}

Task<Reply> put(Call& call, Database& db, const OrderConfig& config) {
  const auto patch = call.body<SettingsPatch>();
  co_return co_await api::write_once(call, db, [&](Tx& tx) {
    auto settings = tx.one(settings_of(call.tenant));
    const TenantSettings before = settings.value_or(TenantSettings{.tenant_id = call.tenant,
                                                                   .order_expiry_minutes = std::nullopt,
                                                                   .require_second_factor = false,
                                                                   .updated_at = call.now,
                                                                   .version = {0}});
    TenantSettings after = before;
    if (patch.order_expiry_minutes) {
      after.order_expiry_minutes.reset();
      if (*patch.order_expiry_minutes) after.order_expiry_minutes = (*patch.order_expiry_minutes)->value;
    }
    patch.require_second_factor.apply_to(after.require_second_factor);
    if (after.require_second_factor != before.require_second_factor) {
      require_may_change_second_factor(tx, call, after.require_second_factor);
    }
    if (settings && !needs_write(before, after)) return shown(settings, config);
    after.updated_at = call.now;
    write_versioned(tx, put_sql, after);
    audit_change(tx, call.tenant, call.actor(), {"settings", call.tenant.text()}, &before, &after, call.now);
    return shown(after, config);
  });
}

}  // namespace

std::vector<api::Route> tenant_settings_routes(Database& db, const OrderConfig& config) {
  return {
      route(Method::get, "/api/admin/settings", Access::admin, "The tenant's settings", find, db, config)
          .gives<ShownSettings>(200, "The settings."),
      route(Method::put, "/api/admin/settings", Access::admin, "Change the tenant's settings", put, db, config)
          .takes<SettingsPatch>()
          .gives<ShownSettings>(200, "The settings."),
  };
}

}  // namespace guildhall
