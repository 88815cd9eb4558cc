#include "features/messages/alerts/alert_store.h"

#include "storage/columns.h"

namespace guildhall {

static const std::string select_alerts = select_from<AlertSettings>("alert_settings") + " WHERE tenant_id = $1";
static const Sql alerts_of_person_sql(select_alerts + " AND user_tenant_id = $2 AND user_id = $3");
static const Sql alerts_of_tenant_sql(select_alerts + " ORDER BY user_tenant_id, user_id LIMIT $2");

Select<AlertSettings> alert_settings_of(const TenantId& tenant, const AlertedPerson& person) {
  return {{&alerts_of_person_sql, params(tenant, person.user_tenant, person.user)}, read_row<AlertSettings>};
}

Select<AlertSettings> alert_settings_in(const TenantId& tenant) {
  return {{&alerts_of_tenant_sql, params(tenant, alerted_people_max)}, read_row<AlertSettings>};
}

static const Sql put_alerts_sql(insert_into<AlertSettings>("alert_settings") +
                                " ON CONFLICT (tenant_id, user_tenant_id, user_id) DO UPDATE SET"
                                " locale = excluded.locale, kinds = excluded.kinds, updated_at = excluded.updated_at,"
                                " version = excluded.version WHERE alert_settings.version = excluded.version - 1");

void put_alert_settings(Tx& tx, AlertSettings& settings) {
  write_versioned(tx, put_alerts_sql, settings);
}

static const Sql delete_alerts_sql("DELETE FROM alert_settings WHERE user_tenant_id = $1 AND user_id = $2");

void delete_alert_settings(Tx& tx, const AlertedPerson& person) {
  tx.later({&delete_alerts_sql, params(person.user_tenant, person.user)});
}

static const Sql count_alert_sql(R"(
  UPDATE alert_settings SET sent_count = CASE WHEN sent_hour = $4 THEN sent_count + 1 ELSE 1 END, sent_hour = $4
  WHERE tenant_id = $1 AND user_tenant_id = $2 AND user_id = $3)");

void count_alert(Tx& tx, const TenantId& tenant, const AlertedPerson& person, std::int64_t hour) {
  tx.run({&count_alert_sql, params(tenant, person.user_tenant, person.user, hour)});
}

}  // namespace guildhall
