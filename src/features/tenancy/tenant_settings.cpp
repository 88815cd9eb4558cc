#include "features/tenancy/tenant_settings.h"

#include "api/resource.h"
#include "base/ascii.h"
#include "features/action.h"
#include "features/tenancy/routes.h"

namespace guildhall {

namespace {

using api::Access, api::Call, http::Method, http::Reply, api::route;

const Sql settings_by_tenant_sql(select_from<TenantSettings>("tenant_settings") + " WHERE tenant_id = $1");

Select<TenantSettings> settings_of(const TenantId& tenant) {
  return {{&settings_by_tenant_sql, params(tenant)}, read_row<TenantSettings>};
}

const Sql put_settings_sql(
    insert_into<TenantSettings>("tenant_settings") +
    " ON CONFLICT (tenant_id) DO UPDATE SET order_expiry_minutes = excluded.order_expiry_minutes,"
    " require_second_factor = excluded.require_second_factor,"
    " currency = excluded.currency, time_zone = excluded.time_zone,"
    " allowed_origins = excluded.allowed_origins,"
    " parcels_move_orders = excluded.parcels_move_orders,"
    " order_number_prefix = excluded.order_number_prefix,"
    " updated_at = excluded.updated_at, version = excluded.version"
    " WHERE tenant_settings.version = excluded.version - 1");

// A tenant that has never changed a setting has no row yet.
TenantSettings settings_or_default(std::optional<TenantSettings> settings, const Call& call) {
  if (settings) return std::move(*settings);
  TenantSettings unset;
  unset.tenant_id = call.tenant;
  unset.updated_at = call.now;
  return unset;
}

ShownSettings shown(const TenantSettings& settings, const SettingsRules& rules) {
  return {.order_expiry_minutes = settings.order_expiry_minutes,
          .effective_order_expiry_minutes = settings.order_expiry_minutes.value_or(rules.default_order_expiry_minutes),
          .require_second_factor = settings.require_second_factor,
          .currency = settings.currency,
          .effective_currency = settings.currency.value_or(Currency()),
          .time_zone = settings.time_zone,
          .effective_time_zone = settings.time_zone.value_or(TimeZone().name()),
          .allowed_origins = settings.allowed_origins,
          .parcels_move_orders = settings.parcels_move_orders,
          .order_number_prefix = settings.order_number_prefix,
          .order_number_next = settings.order_number_next.value,
          .version = settings.version};
}

Task<Reply> get_settings(Call& call, Database& db, const SettingsRules& rules) {
  auto settings = settings_or_default(co_await db.one(settings_of(call.tenant)), call);
  co_return api::record_reply(200, shown(settings, rules));
}

void apply(const SettingsPatch& patch, TenantSettings& settings) {
  if (patch.order_expiry_minutes) {
    settings.order_expiry_minutes.reset();
    if (*patch.order_expiry_minutes) settings.order_expiry_minutes = (*patch.order_expiry_minutes)->value;
  }
  patch.require_second_factor.apply_to(settings.require_second_factor);
  patch.currency.apply_to(settings.currency);
  if (patch.time_zone) {
    settings.time_zone.reset();
    if (*patch.time_zone) settings.time_zone = (*patch.time_zone)->name();
  }
  patch.order_number_prefix.apply_to(settings.order_number_prefix);
  patch.parcels_move_orders.apply_to(settings.parcels_move_orders);
  if (!patch.allowed_origins) return;
  settings.allowed_origins.clear();
  if (!*patch.allowed_origins) return;
  for (const WebOrigin& origin : (*patch.allowed_origins)->value) {
    if (std::ranges::count(settings.allowed_origins, origin.value) == 0)
      settings.allowed_origins.push_back(origin.value);
  }
}

Task<Reply> put_settings(Call& call, Database& db, const SettingsRules& rules) {
  const auto patch = call.body<SettingsPatch>();
  co_return co_await api::write_record(call, db, 200, [&](Tx& tx) {
    const TenantSettings before = settings_or_default(tx.one(settings_of(call.tenant)), call);
    call.require_match(before.version);
    TenantSettings after = before;
    apply(patch, after);
    for (const SettingsRules::Check& check : rules.checks) check(tx, call, before, after);
    const bool counts_on =
        patch.order_number_next && (*patch.order_number_next).value != before.order_number_next.value;
    if (!needs_write(before, after) && !counts_on) return shown(before, rules);
    after.updated_at = call.now;
    put_tenant_settings(tx, after);
    if (after.allowed_origins != before.allowed_origins) {
      write_allowed_origins(tx, call.tenant, after.allowed_origins);
    }
    if (counts_on) {
      after.order_number_next.value = (*patch.order_number_next).value;
      set_next_order_number(tx, call.tenant, after.order_number_next.value);
    }
    action_of(call, tx).audit_change({"settings", call.tenant.text()}, &before, &after);
    return shown(after, rules);
  });
}

}  // namespace

void check(const SettingsPatch& patch, Decoder& decoder) {
  if (!patch.order_number_prefix || !*patch.order_number_prefix) return;
  const std::string& prefix = (*patch.order_number_prefix)->value;
  const bool is_plain = std::all_of(prefix.begin(), prefix.end(), [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
  if (!is_plain) decoder.problem(Problem{"orderNumberPrefix", "must have only letters, digits, '.', '_' and '-'"});
}

void put_tenant_settings(Tx& tx, TenantSettings& settings) {
  write_versioned(tx, put_settings_sql, settings);
}

static const Sql not_moving_sql("SELECT 1 FROM tenant_settings WHERE tenant_id = $1 AND NOT parcels_move_orders");

bool parcels_move_orders(Tx& tx, const TenantId& tenant) {
  bool moving = true;
  tx.run({&not_moving_sql, params(tenant)}, [&](const Row&) { moving = false; });
  return moving;
}

static const Sql expiry_rules_sql(R"(
  SELECT t.tenant_id, COALESCE(s.order_expiry_minutes, CAST($2 AS bigint))
  FROM tenants t LEFT JOIN tenant_settings s ON s.tenant_id = t.tenant_id
  WHERE t.tenant_id > $1 AND COALESCE(s.order_expiry_minutes, CAST($2 AS bigint)) > 0
  ORDER BY t.tenant_id LIMIT $3)");

Select<ExpiryRule> expiry_rules(const TenantId& after, std::int64_t default_minutes, std::int64_t limit) {
  return {{&expiry_rules_sql, params(after, default_minutes, limit)}, [](const Row& row) {
            return ExpiryRule{Column<TenantId>::read(row, 0), row.integer(1)};
          }};
}

static const Sql order_prefix_sql(
    "SELECT order_number_prefix FROM tenant_settings WHERE tenant_id = $1 AND order_number_prefix IS NOT NULL");

Select<std::string> order_number_prefix(const TenantId& tenant) {
  return {{&order_prefix_sql, params(tenant)}, [](const Row& row) { return std::string(row.text(0)); }};
}

static const Sql take_number_sql(
    "UPDATE tenant_settings SET order_number_next = order_number_next + 1 WHERE tenant_id = $1 RETURNING "
    "order_number_next - 1");

std::int64_t take_order_number(Tx& tx, const TenantId& tenant) {
  std::int64_t next = 0;
  tx.run({&take_number_sql, params(tenant)}, [&](const Row& row) { next = row.integer(0); });
  return next;
}

static const Sql set_next_sql("UPDATE tenant_settings SET order_number_next = $2 WHERE tenant_id = $1");

void set_next_order_number(Tx& tx, const TenantId& tenant, std::int64_t next) {
  tx.run({&set_next_sql, params(tenant, next)});
}

std::vector<api::Route> tenant_settings_routes(Database& db, const SettingsRules& rules) {
  return {
      route(Method::get, "/api/admin/settings", Access::data_read, "The tenant's settings", get_settings, db, rules)
          .gives<ShownSettings>(200, "The settings."),
      route(Method::put, "/api/admin/settings", Access::admin, "Change the tenant's settings", put_settings, db, rules)
          .by_person()
          .takes<SettingsPatch>()
          .gives<ShownSettings>(200, "The settings."),
  };
}

}  // namespace guildhall
