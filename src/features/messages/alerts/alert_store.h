#pragma once

#include "features/messages/alerts/alert.h"
#include "storage/database.h"

// All SQL of the settings of alerts.
namespace guildhall {

Select<AlertSettings> alert_settings_of(const TenantId& tenant, const AlertedPerson& person);

// Of at most alerted_people_max people.
Select<AlertSettings> alert_settings_in(const TenantId& tenant);

// Writes the record, except for the count of sent alerts, and increments its version. Throws WriteRace if it was
// changed since it was read.
void put_alert_settings(Tx& tx, AlertSettings& settings);

// In every tenant. The user may be of another one.
void delete_alert_settings(Tx& tx, const AlertedPerson& person);

// Counts an alert that was sent to the person in this hour.
void count_alert(Tx& tx, const TenantId& tenant, const AlertedPerson& person, std::int64_t hour);

}  // namespace guildhall
